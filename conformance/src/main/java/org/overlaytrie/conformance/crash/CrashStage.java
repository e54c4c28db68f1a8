package org.overlaytrie.conformance.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.report.CrashResult;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.testjvm.ModuleTests;

/** {@code verify.sh crash [test…]}: the tests that carry the tag {@code crash}, counted. */
public final class CrashStage implements Stage {

  private static final List<String> LONGER =
      List.of("-Doverlaytrie.lives=50000", "-Doverlaytrie.kills=200");

  /** A stage without state. */
  public CrashStage() {}

  @Override
  public String name() {
    return "crash";
  }

  @Override
  public String description() {
    return "whatever a crash leaves, recovery finds all that was acknowledged and nothing else";
  }

  @Override
  public Duration expected(boolean deep) {
    return deep ? Duration.ofMinutes(8) : Duration.ofMinutes(2);
  }

  @Override
  public int cores() {
    return 2;
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    List<String> options = new ArrayList<>(List.of("-Xmx1g"));
    if (context.deep()) {
      options.addAll(LONGER);
    }
    ModuleTests tests =
        new ModuleTests(
            "crash",
            "conformance",
            List.of("crash"),
            List.of(),
            options,
            expected(context.deep()).multipliedBy(10));
    StageResult result = tests.run(context, context.arguments());
    CrashResult counts = count(result.findings().tests());
    List<Failure> failures = new ArrayList<>();
    if (context.arguments().isEmpty()
        && (counts.exhaustivePoints() == 0 || counts.randomRuns() == 0 || counts.kills() == 0)) {
      failures.add(
          new Failure(
              "some kind of crash was not tried at all", counts.toString(), "./verify.sh crash"));
    }
    return result.plus(StageResult.of(failures, List.of(counts)));
  }

  /** Adds up what the tests published. */
  private static CrashResult count(List<TestResult> tests) {
    return new CrashResult(
        sum(tests, "exhaustivePoints"),
        sum(tests, "randomRuns"),
        sum(tests, "kills"),
        sum(tests, "acknowledged"),
        sum(tests, "lost"),
        sum(tests, "invented"));
  }

  private static long sum(List<TestResult> tests, String entry) {
    return tests.stream()
        .map(test -> test.entries().get(entry))
        .filter(value -> value != null)
        .mapToLong(Long::parseLong)
        .sum();
  }
}
