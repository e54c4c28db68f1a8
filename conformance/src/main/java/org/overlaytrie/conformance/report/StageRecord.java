package org.overlaytrie.conformance.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * One stage's run, as it is kept between commands.
 *
 * @param name the stage
 * @param description what a green run of it shows
 * @param fingerprint of the sources on which it ran
 * @param arguments what was selected; empty means all
 * @param seconds wall-clock time
 * @param expectedSeconds how long it was expected to take
 * @param failures what is wrong
 * @param findings what was found
 */
public record StageRecord(
    String name,
    String description,
    String fingerprint,
    List<String> arguments,
    double seconds,
    double expectedSeconds,
    List<Failure> failures,
    Findings findings) {

  /** Whether nothing failed. */
  public boolean passed() {
    return failures.isEmpty();
  }

  /** The line of this stage in the report. */
  StageLine line() {
    return new StageLine(
        name,
        passed() ? Status.PASS : Status.FAIL,
        seconds,
        expectedSeconds,
        arguments,
        description,
        failures);
  }

  /** Whether a stage is green. */
  public enum Status {
    /** Nothing failed. */
    PASS,
    /** Something failed. */
    FAIL,
    /** It is no part of this report. */
    ABSENT
  }

  /**
   * One stage in the report.
   *
   * @param name the stage
   * @param status whether it is green
   * @param seconds wall-clock time; 0 if absent
   * @param expectedSeconds how long it was expected to take
   * @param arguments what was selected; empty means all
   * @param description what a green run of it shows
   * @param failures what is wrong
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record StageLine(
      String name,
      Status status,
      double seconds,
      double expectedSeconds,
      List<String> arguments,
      String description,
      List<Failure> failures) {}
}
