package org.overlaytrie.conformance.jcstress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.overlaytrie.conformance.cli.ChildJvm;
import org.overlaytrie.conformance.cli.LineTail;
import org.overlaytrie.conformance.cli.Names;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.JcstressResult;
import org.overlaytrie.conformance.report.JcstressResult.Result;

/**
 * Runs the memory-model tests. No test may show a forbidden outcome, and every broken twin must: a
 * twin that does not gets a second, longer look, because the host may be too busy for a rare race.
 */
public final class JcstressStage implements Stage {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration DEEP_LIMIT = Duration.ofHours(4);
  private static final int MILLIS = 200;
  private static final int LONGER_MILLIS = 1_000;

  @Override
  public String name() {
    return "jcstress";
  }

  @Override
  public String description() {
    return "no race of the commit protocol shows a forbidden outcome, and every broken twin does";
  }

  @Override
  public Duration expected(boolean deep) {
    return deep ? Duration.ofMinutes(40) : Duration.ofMinutes(2);
  }

  /** Two actors want a core each, and nobody beside them. */
  @Override
  public int cores() {
    return Integer.MAX_VALUE;
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    JcstressJar jar = JcstressJar.of(context.checkout());
    List<String> tests = choose(jar.tests(), context.arguments());
    if (tests.isEmpty()) {
      Failure none = new Failure(jar.file() + " lists no test", "", "./verify.sh jcstress");
      return StageResult.of(List.of(none), List.of());
    }
    Map<String, JcstressOutput.Test> seen = new LinkedHashMap<>();
    seen.putAll(stress(jar, tests, "first", MILLIS, context));
    List<String> silent =
        tests.stream()
            .filter(JcstressJar::isTwin)
            .filter(test -> seen.containsKey(test))
            .filter(test -> seen.get(test).result() == Result.ALLOWED)
            .toList();
    if (!silent.isEmpty()) {
      context.progress().note("looking longer for the forbidden outcome of " + silent);
      seen.putAll(stress(jar, silent, "longer", LONGER_MILLIS, context));
    }
    return result(jar, tests, seen);
  }

  /** The tests whose class names, simple or full, are given; all if none is. */
  static List<String> choose(List<String> tests, List<String> names) {
    for (String name : names) {
      if (tests.stream().noneMatch(test -> isNamed(test, name))) {
        throw Names.unknown("There is no memory-model test " + name, name, tests);
      }
    }
    return tests.stream()
        .filter(test -> names.isEmpty() || names.stream().anyMatch(name -> isNamed(test, name)))
        .toList();
  }

  private static boolean isNamed(String test, String name) {
    return test.equals(name) || test.endsWith("." + name);
  }

  private static Map<String, JcstressOutput.Test> stress(
      JcstressJar jar, List<String> tests, String run, int millis, StageContext context)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(context.work().resolve(run));
    Path log = directory.resolve("jcstress.log");
    JcstressOutput output = new JcstressOutput();
    LineTail tail = new LineTail(log);
    Duration limit = context.deep() ? DEEP_LIMIT : LIMIT;
    long startNanos = System.nanoTime();
    try (ChildJvm jcstress =
        new ChildJvm.Builder()
            .classPath(List.of(jar.file()))
            .main("org.openjdk.jcstress.Main")
            .arguments(arguments(tests, millis, context.deep()))
            .directory(directory)
            .start(log)) {
      boolean ended = false;
      while (!ended && System.nanoTime() - startNanos < limit.toNanos()) {
        ended = jcstress.awaitExit(POLL);
        tail.next().forEach(output::read);
        context.progress().step(output.progress());
      }
      tail.rest().forEach(output::read);
    }
    return output.tests();
  }

  private static List<String> arguments(List<String> tests, int millis, boolean deep) {
    String pattern = tests.stream().map(Pattern::quote).collect(Collectors.joining("|", "(", ")"));
    List<String> arguments = new ArrayList<>(List.of("-v", "-t", pattern));
    arguments.addAll(List.of("-jvmArgs", "-Xmx256m"));
    arguments.addAll(
        deep
            ? List.of("-m", "default")
            : List.of("-sc", "false", "-f", "1", "-fsm", "1", "-iters", "3", "-time", "" + millis));
    return arguments;
  }

  private static StageResult result(
      JcstressJar jar, List<String> tests, Map<String, JcstressOutput.Test> seen)
      throws IOException {
    List<JcstressResult> results = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    for (String name : tests) {
      boolean twin = JcstressJar.isTwin(name);
      JcstressOutput.Test test = seen.getOrDefault(name, new JcstressOutput.Test("absent"));
      Result due = twin ? Result.FORBIDDEN : Result.ALLOWED;
      JcstressResult result =
          new JcstressResult(
              name,
              twin,
              test.result(),
              test.result() == due,
              test.samples(),
              test.outcomes(),
              jar.checks(name));
      results.add(result);
      if (!result.passed()) {
        failures.add(failure(result));
      }
    }
    return StageResult.of(failures, results);
  }

  private static Failure failure(JcstressResult result) {
    String what =
        switch (result.result()) {
          case ALLOWED -> " did not show its forbidden outcome";
          case FORBIDDEN -> " showed a forbidden outcome";
          case ERROR -> " did not run to its end";
        };
    String outcomes =
        result.outcomes().stream()
            .map(
                seen ->
                    String.format(
                        "%s  %,d  %s  %s",
                        seen.outcome(), seen.samples(), seen.expectation(), seen.description()))
            .collect(Collectors.joining("\n"));
    return new Failure(result.test() + what, outcomes, "./verify.sh jcstress " + result.test());
  }
}
