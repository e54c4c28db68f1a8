package org.overlaytrie.conformance.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.LincheckResult;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.testjvm.ModuleTests;

/** Runs the tests of the {@code lincheck} module: threads under controlled schedules. */
final class LincheckStage implements Stage {

  private static final ModuleTests TESTS =
      new ModuleTests(
          "lincheck",
          "lincheck",
          List.of(),
          List.of(),
          List.of("-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), // as in its POM
          Duration.ofMinutes(10));

  @Override
  public String name() {
    return "lincheck";
  }

  @Override
  public String description() {
    return "every schedule that is tried gives a linearizable result, and the broken twins do not";
  }

  @Override
  public Duration expected(boolean deep) {
    return Duration.ofSeconds(150);
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    StageResult tests = TESTS.run(context, context.arguments());
    List<Finding> findings = new ArrayList<>();
    for (TestResult test : tests.findings().tests()) {
      findings.add(new LincheckResult(test.id(), test.status(), test.seconds()));
    }
    return tests.plus(StageResult.of(List.<Failure>of(), findings));
  }
}
