package org.overlaytrie.conformance.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.MutantResult.Result;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TestResult.Status;
import org.overlaytrie.conformance.testjvm.TestJvm;
import org.overlaytrie.conformance.testjvm.TestRun;
import org.overlaytrie.conformance.testjvm.TestSelection;

/**
 * Builds mutants and runs the tests that must notice them, each mutant in a JVM of its own.
 *
 * <p>A mutant is killed only by a test that its header names and that passes on the unchanged code:
 * a test that fails anyway, or that is not found, shows nothing. A test that fails because the
 * mutant no longer fits the other classes shows nothing either.
 */
final class MutantRunner {

  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** What a test dies of when a mutant took away a class or member that other classes use. */
  private static final Set<String> LINKAGE_ERRORS =
      Set.of(
          NoSuchMethodError.class.getName(),
          NoSuchFieldError.class.getName(),
          AbstractMethodError.class.getName(),
          IllegalAccessError.class.getName(),
          IncompatibleClassChangeError.class.getName(),
          NoClassDefFoundError.class.getName());

  private final MutantBuilder builder;
  private final List<Path> testClassPath;
  private final Path testDirectory;
  private final Path work;
  private final Duration timeout;
  private final int parallelism;

  /**
   * @param testClassPath where the tests and the unchanged classes are
   * @param testDirectory the working directory of the tests
   * @param work where each test run leaves its log
   * @param timeout for the tests of one mutant, and for each test on the unchanged code
   * @param parallelism how many mutants are built or tested at a time
   */
  MutantRunner(
      MutantBuilder builder,
      List<Path> testClassPath,
      Path testDirectory,
      Path work,
      Duration timeout,
      int parallelism) {
    this.builder = builder;
    this.testClassPath = List.copyOf(testClassPath);
    this.testDirectory = testDirectory;
    this.work = work;
    this.timeout = timeout;
    this.parallelism = parallelism;
  }

  /**
   * Runs all mutants and returns their results in the given order.
   *
   * @param knownToPass tests that have passed on the unchanged code; all others that a mutant names
   *     run on it once, first
   * @param listener gets each result as soon as it is known, on any thread
   */
  List<MutantResult> run(
      List<Mutant> mutants, Set<String> knownToPass, Consumer<MutantResult> listener)
      throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(parallelism);
    try {
      // submitted first, so that no mutant can wait for it while holding the only thread
      Future<Unchanged> unchanged = executor.submit(() -> runUnchanged(mutants, knownToPass));
      List<Future<MutantResult>> running = new ArrayList<>();
      for (Mutant mutant : mutants) {
        running.add(
            executor.submit(
                () -> {
                  MutantResult result = run(mutant, unchanged);
                  listener.accept(result);
                  return result;
                }));
      }
      List<MutantResult> results = new ArrayList<>();
      for (Future<MutantResult> future : running) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * What the named tests do on the unchanged code.
   *
   * @param passing those that ran and passed
   * @param problem why the run as a whole failed; empty if it came to its end
   */
  private record Unchanged(Set<String> passing, String problem) {}

  private Unchanged runUnchanged(List<Mutant> mutants, Set<String> knownToPass)
      throws IOException, InterruptedException {
    Set<String> named = new LinkedHashSet<>();
    mutants.forEach(mutant -> named.addAll(mutant.killedBy()));
    named.removeAll(knownToPass);
    if (named.isEmpty()) {
      return new Unchanged(knownToPass, "");
    }
    TestRun run =
        new TestJvm(
                testClassPath,
                JVM_OPTIONS,
                testDirectory,
                work.resolve("unchanged"),
                timeout.multipliedBy(named.size()))
            .run(TestSelection.methods(List.copyOf(named)), result -> {});
    Set<String> failed = run.failed().stream().map(TestResult::id).collect(Collectors.toSet());
    Set<String> passing = new HashSet<>(knownToPass);
    run.tests().stream()
        .filter(test -> test.status() == Status.PASSED)
        .map(TestResult::id)
        .filter(test -> !failed.contains(test))
        .forEach(passing::add);
    return new Unchanged(passing, run.problem() == null ? "" : "; " + run.problem());
  }

  private MutantResult run(Mutant mutant, Future<Unchanged> unchanged)
      throws IOException, InterruptedException, ExecutionException {
    long startNanos = System.nanoTime();
    Path classes;
    try {
      classes = builder.build(mutant);
    } catch (StaleMutantException e) {
      return result(mutant, startNanos, Result.STALE, null, e.getMessage());
    }
    Set<String> idle = new LinkedHashSet<>(mutant.killedBy());
    idle.removeAll(unchanged.get().passing());
    if (!idle.isEmpty()) {
      return result(
          mutant,
          startNanos,
          Result.STALE,
          null,
          "not passing on the unchanged code: " + idle + unchanged.get().problem());
    }
    startNanos = System.nanoTime();
    List<Path> classPath = new ArrayList<>();
    classPath.add(classes);
    classPath.addAll(testClassPath);
    TestRun run =
        new TestJvm(classPath, JVM_OPTIONS, testDirectory, work.resolve(mutant.name()), timeout)
            .run(TestSelection.methods(mutant.killedBy()), result -> {});
    return judge(mutant, startNanos, run);
  }

  /** What the run of a mutant's tests says about it. */
  static MutantResult judge(Mutant mutant, long startNanos, TestRun run) {
    Optional<TestResult> failed =
        run.failed().stream().filter(test -> mutant.killedBy().contains(test.id())).findFirst();
    if (run.timedOut()) { // a slow machine must not kill a mutant
      return result(
          mutant, startNanos, Result.SURVIVED, null, "no test failed within the time limit");
    }
    if (failed.isEmpty()) {
      return run.passed()
          ? result(mutant, startNanos, Result.SURVIVED, null, "all its tests pass")
          : result(
              mutant, startNanos, Result.STALE, null, "its tests did not run: " + problem(run));
    }
    String message = String.valueOf(failed.get().message());
    if (LINKAGE_ERRORS.contains(exceptionClass(message))) {
      return result(
          mutant,
          startNanos,
          Result.STALE,
          null,
          "it does not fit the other classes: " + message.lines().findFirst().orElse(""));
    }
    return result(mutant, startNanos, Result.KILLED, failed.get().id(), null);
  }

  private static String exceptionClass(String stackTrace) {
    return stackTrace.lines().findFirst().orElse("").replaceFirst(":.*", "");
  }

  private static String problem(TestRun run) {
    return run.problem() != null
        ? run.problem()
        : run.failed().stream().map(TestResult::id).collect(Collectors.joining(", ")) + " failed";
  }

  private static MutantResult result(
      Mutant mutant, long startNanos, Result result, String killedBy, String problem) {
    return new MutantResult(
        mutant.name(),
        mutant.invariant(),
        killedBy,
        result,
        mutant.text(),
        (System.nanoTime() - startNanos) / 1e9,
        problem);
  }
}
