package org.overlaytrie.conformance.report;

/**
 * A guard removed from the Java code, and the test that noticed.
 *
 * @param name the patch's name without extension
 * @param invariant {@code Module!NameInv}
 * @param killedBy the test that failed, {@code Class#method}; null if none did
 * @param result what became of it
 * @param patch the patch's text
 * @param seconds wall-clock time
 * @param problem why it is not killed; null if it is
 */
public record MutantResult(
    String name,
    String invariant,
    String killedBy,
    Result result,
    String patch,
    double seconds,
    String problem)
    implements Finding {

  /** What became of a mutant. */
  public enum Result {
    /** A named test failed. */
    KILLED,
    /** All named tests passed: they would not notice if the guard went. */
    SURVIVED,
    /** The patch does not apply or compile any more, or its tests do not exist. */
    STALE
  }
}
