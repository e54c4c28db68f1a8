package org.overlaytrie.conformance.report;

import java.util.List;

/**
 * One test of the {@code jcstress} module.
 *
 * @param test the test's class
 * @param twin whether it is a broken twin, whose forbidden outcome must be seen
 * @param result what was seen
 * @param passed whether that is what must be seen
 * @param samples how many results were sampled
 * @param outcomes each outcome that was seen
 * @param checks the invariants that the test names
 */
public record JcstressResult(
    String test,
    boolean twin,
    Result result,
    boolean passed,
    long samples,
    List<Outcome> outcomes,
    List<String> checks)
    implements Finding {

  /** What was seen of a test. */
  public enum Result {
    /** Allowed outcomes only. */
    ALLOWED,
    /** A forbidden outcome. */
    FORBIDDEN,
    /** The test did not run to its end. */
    ERROR
  }

  /**
   * One outcome.
   *
   * @param outcome the values that the actors saw
   * @param samples how often
   * @param expectation {@code ACCEPTABLE}, {@code INTERESTING} or {@code FORBIDDEN}
   * @param description the schedule that explains it
   */
  public record Outcome(String outcome, long samples, String expectation, String description) {}
}
