package org.overlaytrie.conformance.mutants;

/** A mutant's file is not in the form that {@link Mutant} describes. */
public final class MalformedMutantException extends RuntimeException {

  private static final long serialVersionUID = 1;

  MalformedMutantException(String name, String problem) {
    super("mutant " + name + ": " + problem);
  }
}
