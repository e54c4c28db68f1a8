package org.overlaytrie.conformance.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Names;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TestResult.Status;

/** {@code verify.sh mutants [mutant or invariant…]}. */
public final class MutantStage implements Stage {

  private static final int PARALLELISM = 2;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** A stage without state. */
  public MutantStage() {}

  @Override
  public String name() {
    return "mutants";
  }

  @Override
  public String description() {
    return "each guard of the commit protocol, removed from the code, makes a named test fail";
  }

  @Override
  public Duration expected(boolean deep) {
    return Duration.ofSeconds(60);
  }

  @Override
  public int cores() {
    return PARALLELISM;
  }

  /** The tests that kill mutants need not run again on the unchanged code if they have run. */
  @Override
  public Set<String> after() {
    return Set.of("tests", "crash", "lincheck");
  }

  @Override
  public StageResult run(StageContext context) throws IOException, InterruptedException {
    Checkout checkout = context.checkout();
    List<Mutant> mutants = select(readMutants(checkout.root()), context.arguments());
    MutantRunner runner =
        new MutantRunner(
            new MutantBuilder(
                checkout.root(), Path.of("impl/src/main/java"), context.work().resolve("build")),
            testClassPath(checkout),
            checkout.root().resolve("conformance"),
            context.work().resolve("tests"),
            TIMEOUT,
            PARALLELISM);
    context.progress().step(mutants.size() + " mutants");
    List<MutantResult> results =
        runner.run(
            mutants,
            passed(context.findings().tests()),
            result ->
                context
                    .progress()
                    .step(result.name() + " " + result.result().name().toLowerCase(Locale.ROOT)));
    return StageResult.of(failures(results), results);
  }

  /** The project's mutants. */
  public static List<Mutant> readMutants(Path root) throws IOException {
    return Mutant.readAll(root.resolve("conformance").resolve("mutants"));
  }

  private static List<Mutant> select(List<Mutant> mutants, List<String> names) {
    if (names.isEmpty()) {
      return mutants;
    }
    for (String name : names) {
      if (mutants.stream().noneMatch(mutant -> isNamed(mutant, name))) {
        Set<String> known = new TreeSet<>();
        mutants.forEach(mutant -> known.addAll(List.of(mutant.name(), mutant.invariant())));
        throw Names.unknown("There is no mutant, and no invariant with one, " + name, name, known);
      }
    }
    return mutants.stream()
        .filter(mutant -> names.stream().anyMatch(name -> isNamed(mutant, name)))
        .toList();
  }

  private static boolean isNamed(Mutant mutant, String name) {
    return mutant.name().equals(name)
        || mutant.invariant().equals(name)
        || mutant.invariant().endsWith("!" + name);
  }

  private static Set<String> passed(List<TestResult> tests) {
    Set<String> passed = new HashSet<>();
    tests.stream().filter(test -> test.status() == Status.PASSED).forEach(t -> passed.add(t.id()));
    tests.stream()
        .filter(test -> test.status() != Status.PASSED)
        .forEach(t -> passed.remove(t.id()));
    return passed;
  }

  /** Tests of any module may kill a mutant. */
  private static List<Path> testClassPath(Checkout checkout) {
    Set<Path> classPath = new LinkedHashSet<>();
    for (String module : List.of("impl", "conformance", "lincheck")) {
      classPath.addAll(checkout.testClassPath(module));
    }
    return List.copyOf(classPath);
  }

  private static List<Failure> failures(List<MutantResult> results) {
    return results.stream()
        .filter(result -> result.result() != MutantResult.Result.KILLED)
        .map(
            result ->
                new Failure(
                    "the mutant "
                        + result.name()
                        + " "
                        + (result.result() == MutantResult.Result.SURVIVED
                            ? "survived"
                            : "is stale"),
                    result.problem(),
                    "./verify.sh mutants " + result.name()))
        .toList();
  }
}
