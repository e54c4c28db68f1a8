package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.overlaytrie.conformance.cli.Names;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.ModelResult;

/** Checks the models, two at a time, the largest first. */
public final class TlcStage implements Stage {

  private static final int SIDE_BY_SIDE = 2;
  private static final Duration DEFAULT_LIMIT = Duration.ofMinutes(10);
  private static final Duration DEEP_LIMIT = Duration.ofHours(12);

  @Override
  public String name() {
    return "tlc";
  }

  @Override
  public String description() {
    return "TLC finds no violation in the models, and the one it must find in each control";
  }

  @Override
  public Duration expected(boolean deep) {
    return deep ? Duration.ofHours(1) : Duration.ofSeconds(130);
  }

  @Override
  public int cores() {
    return SIDE_BY_SIDE;
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    Path specs = context.checkout().specs();
    if (!Files.exists(specs.resolve("manifest.json"))) {
      String what = "specs/manifest.json does not exist: there is no model to check";
      return StageResult.of(List.of(new Failure(what, "", "./verify.sh tlc")), List.of());
    }
    Manifest manifest = Manifest.read(specs);
    List<Failure> failures = new ArrayList<>();
    if (context.arguments().isEmpty()) {
      for (String flaw : manifest.flaws(specs)) {
        failures.add(new Failure(flaw, "", "./verify.sh tlc"));
      }
    }
    List<Manifest.Entry> chosen = choose(specs, manifest, context.arguments(), context.deep());
    List<ModelResult> models = check(specs, chosen, context);
    for (ModelResult model : models) {
      if (!model.passed()) {
        String what = model.config() + ": " + model.problem().lines().findFirst().orElse("");
        failures.add(new Failure(what, model.problem(), "./verify.sh tlc " + model.config()));
      }
    }
    return StageResult.of(failures, models);
  }

  /**
   * The entries that the arguments name by module or configuration, or else all that are due.
   *
   * @throws UsageException if one of the arguments selects none
   */
  static List<Manifest.Entry> choose(
      Path specs, Manifest manifest, List<String> arguments, boolean deep) throws IOException {
    for (String argument : arguments) {
      if (manifest.models().stream().noneMatch(entry -> selects(argument, entry, deep))) {
        throw selectsNothing(specs, manifest, argument);
      }
    }
    return manifest.models().stream()
        .filter(
            entry ->
                arguments.isEmpty()
                    ? isDue(entry, deep)
                    : arguments.stream().anyMatch(argument -> selects(argument, entry, deep)))
        .toList();
  }

  private static boolean isDue(Manifest.Entry entry, boolean deep) {
    return deep || entry.timeClass() == Manifest.TimeClass.DEFAULT;
  }

  private static boolean selects(String argument, Manifest.Entry entry, boolean deep) {
    return argument.equals(entry.config())
        || (argument.equals(entry.module()) && isDue(entry, deep));
  }

  private static UsageException selectsNothing(Path specs, Manifest manifest, String argument)
      throws IOException {
    List<String> deepOnly =
        manifest.models().stream()
            .filter(entry -> argument.equals(entry.module()))
            .map(Manifest.Entry::config)
            .toList();
    if (!deepOnly.isEmpty()) {
      return new UsageException(
          argument
              + " has no configuration that is quick to check: add --deep, or name one of "
              + String.join(", ", deepOnly)
              + ".");
    }
    if (Manifest.configurations(specs).contains(argument)) {
      return new UsageException(
          "specs/manifest.json does not list " + argument + ".cfg: say there what it must give.");
    }
    Set<String> known = new TreeSet<>();
    manifest.models().forEach(entry -> known.addAll(List.of(entry.config(), entry.module())));
    return Names.unknown("There is no configuration or module " + argument, argument, known);
  }

  private static List<ModelResult> check(
      Path specs, List<Manifest.Entry> entries, StageContext context) throws Exception {
    List<Manifest.Entry> largestFirst = new ArrayList<>(entries);
    largestFirst.sort(
        Comparator.comparing(
            (Manifest.Entry entry) -> entry.distinctStates() == null ? 0 : entry.distinctStates(),
            Comparator.reverseOrder()));
    ExecutorService pool = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    try {
      List<Future<ModelResult>> running =
          largestFirst.stream()
              .map(entry -> pool.submit(() -> check(specs, entry, context)))
              .toList();
      List<ModelResult> models = new ArrayList<>();
      for (Future<ModelResult> result : running) {
        models.add(result.get());
      }
      List<String> order = entries.stream().map(Manifest.Entry::config).toList();
      models.sort(Comparator.comparingInt(model -> order.indexOf(model.config())));
      return models;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      pool.shutdownNow();
    }
  }

  private static ModelResult check(Path specs, Manifest.Entry entry, StageContext context)
      throws IOException, InterruptedException {
    Duration limit = entry.timeClass() == Manifest.TimeClass.DEEP ? DEEP_LIMIT : DEFAULT_LIMIT;
    Path work = Files.createDirectories(context.work().resolve(entry.config()));
    ModelResult result =
        ModelCheck.run(
            specs, entry, work, limit, distinct -> context.progress().step(step(entry, distinct)));
    context
        .progress()
        .note(
            String.format(
                "%s %s: %s, %,d states, %.1f s",
                result.passed() ? "ok" : "FAILED",
                entry.config(),
                result.property() == null
                    ? result.result().name().toLowerCase(Locale.ROOT)
                    : "refutes " + result.property(),
                result.distinctStates(),
                result.seconds()));
    return result;
  }

  private static String step(Manifest.Entry entry, long distinct) {
    return entry.distinctStates() == null
        ? String.format("%s %,d states", entry.config(), distinct)
        : String.format("%s %,d of %,d states", entry.config(), distinct, entry.distinctStates());
  }
}
