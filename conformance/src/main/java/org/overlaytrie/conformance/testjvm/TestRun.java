package org.overlaytrie.conformance.testjvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.overlaytrie.conformance.report.TestResult;

/**
 * What became of the tests that were selected.
 *
 * @param tests one result per test, in the order in which they ended
 * @param problem why the run as a whole failed (nothing to run, time over, JVM ended early, a name
 *     that is no test); null if it came to its end
 * @param timedOut whether it was killed because its time was over
 * @param selectNothing the names that select no test, each with names that would; if there are any,
 *     no test was run
 * @param log what the JVM printed
 */
public record TestRun(
    List<TestResult> tests,
    String problem,
    boolean timedOut,
    Map<String, List<String>> selectNothing,
    Path log) {

  /** Whether at least one test ran, all came to their end and none failed. */
  public boolean passed() {
    return problem == null && failed().isEmpty();
  }

  /** The tests that failed. */
  public List<TestResult> failed() {
    return tests.stream().filter(test -> test.status() == TestResult.Status.FAILED).toList();
  }
}
