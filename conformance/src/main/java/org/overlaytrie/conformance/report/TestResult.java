package org.overlaytrie.conformance.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * One execution of a JUnit test (each invocation of a parameterized test is one).
 *
 * @param stage the stage that ran it; empty until a stage has claimed it
 * @param className the binary name of the class
 * @param method the method's name; {@code *} stands for the class as a whole, when its set-up
 *     failed
 * @param displayName how the test calls itself
 * @param status its outcome
 * @param seconds wall-clock time
 * @param message what failed, with the stack trace; null if passed
 * @param entries what the test published through {@code TestReporter}, e.g. its seed
 * @param tags its JUnit tags
 * @param checks the invariants that {@code @Checks} names on the method or its class
 */
public record TestResult(
    String stage,
    String className,
    String method,
    String displayName,
    Status status,
    double seconds,
    @JsonInclude(JsonInclude.Include.NON_NULL) String message,
    Map<String, String> entries,
    List<String> tags,
    List<String> checks)
    implements Finding {

  /** The outcome of a test. */
  public enum Status {
    /** It passed. */
    PASSED,
    /** It failed, or ran when its time was over or the JVM ended. */
    FAILED,
    /** It did not run, or an assumption of its own did not hold. */
    SKIPPED
  }

  /** {@code Class#method}. */
  public String id() {
    return className + "#" + method;
  }

  /** The same result, claimed by a stage. */
  public TestResult in(String claimingStage) {
    return new TestResult(
        claimingStage,
        className,
        method,
        displayName,
        status,
        seconds,
        message,
        entries,
        tags,
        checks);
  }
}
