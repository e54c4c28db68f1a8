package org.overlaytrie.conformance.mutants;

/** The code has moved on: the mutant's patch no longer applies, or what it makes is no program. */
final class StaleMutantException extends Exception {

  private static final long serialVersionUID = 1;

  StaleMutantException(String problem) {
    super(problem);
  }
}
