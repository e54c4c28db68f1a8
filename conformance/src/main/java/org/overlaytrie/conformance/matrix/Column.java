package org.overlaytrie.conformance.matrix;

import java.util.Locale;

/** The kinds of evidence that an invariant needs, in the order of the matrix. */
public enum Column {
  /** A configuration in which TLC checks the invariant, and it holds. */
  MODEL("model configurations in which it holds"),
  /** A configuration with one guard removed, which TLC refutes by exactly this invariant. */
  CONTROL("negative controls that refute it"),
  /** The code whose change would break it, marked with {@code @Upholds}. */
  CODE("code that upholds it"),
  /** Its runnable check, and tests that run the check on the real store. */
  RUNTIME("runnable check"),
  /** The configuration that checks it on recorded executions of the real store. */
  TRACE("configurations that check recorded executions"),
  /** Tests that control or enumerate the schedule of threads. */
  SCHEDULE("schedule tests"),
  /** Tests of the memory model. */
  MEMORY("memory-model tests"),
  /** Tests that crash the store, on a simulated disk or by killing its process. */
  CRASH("crash tests"),
  /** Patches that remove a guard from the code, each killed by a test. */
  MUTANT("mutants");

  private final String title;

  Column(String title) {
    this.title = title;
  }

  /** What the column lists, for a reader. */
  String title() {
    return title;
  }

  /** The name used in {@code specs/matrix.json} and in reports. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
