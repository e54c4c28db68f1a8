package org.overlaytrie.conformance.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.overlaytrie.Durability;
import org.overlaytrie.conformance.cli.Names;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.TraceResult;

/**
 * Records executions of real stores and checks them against the specification, and checks that
 * wrong ones are rejected; or checks the trace files that the user names.
 */
public final class TraceStage implements Stage {
  private static final long SEED = 20_261_130;

  /** Records one execution into the given trace file; the directory is there for its files. */
  private interface Recording {
    void record(Path trace, Path directory) throws IOException, InterruptedException;
  }

  @Override
  public String name() {
    return "trace";
  }

  @Override
  public String description() {
    return "recorded executions of the store are behaviours of its specification";
  }

  @Override
  public Duration expected(boolean deep) {
    return deep ? Duration.ofMinutes(3) : Duration.ofSeconds(40);
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    List<Failure> failures = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    if (!context.arguments().isEmpty()) {
      List<Path> files = files(context.arguments());
      for (Path file : files) {
        validate(context, file.toString(), file, failures, findings);
      }
      return StageResult.of(failures, findings);
    }
    record(
        context,
        "8 threads on files",
        failures,
        findings,
        (trace, directory) ->
            Recordings.onFiles(trace, directory, SEED, context.deep() ? 2_000 : 1_000));
    record(
        context,
        "8 threads, closed meanwhile",
        failures,
        findings,
        (trace, directory) ->
            Recordings.closed(trace, directory, SEED + 40, 20, context.deep() ? 50 : 10));
    record(
        context,
        "8 threads that do not wait for stages",
        failures,
        findings,
        (trace, directory) ->
            Recordings.asked(trace, directory, SEED + 50, 40, 5, Durability.SYNC));
    record(
        context,
        "8 threads, durability NONE",
        failures,
        findings,
        (trace, directory) ->
            Recordings.asked(trace, directory, SEED + 60, 80, 5, Durability.NONE));
    record(
        context,
        "8 threads, power lost",
        failures,
        findings,
        (trace, directory) -> Recordings.powerLoss(trace, SEED + 10, 1_000, 200));
    record(
        context,
        "8 threads, disk error",
        failures,
        findings,
        (trace, directory) -> Recordings.inputOutputError(trace, SEED + 20, 200, 150));
    for (int kill = 1; kill <= (context.deep() ? 20 : 1); kill++) {
      long seed = SEED + 30 + kill;
      record(
          context,
          "8 threads, SIGKILL " + kill,
          failures,
          findings,
          (trace, directory) ->
              Recordings.killed(
                  trace, directory, seed, 40, 12, directory.resolveSibling("child.log")));
    }
    corrupt(context, failures, findings);
    return StageResult.of(failures, findings);
  }

  private static List<Path> files(List<String> arguments) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String argument : arguments) {
      Path file = Path.of(argument);
      if (!Files.isRegularFile(file)) {
        throw Names.unknown("There is no file " + argument, argument, filesBeside(file));
      }
      files.add(file);
    }
    return files;
  }

  private static List<String> filesBeside(Path missing) throws IOException {
    Path directory = missing.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(missing::resolveSibling)
          .map(Path::toString)
          .toList();
    }
  }

  private static void record(
      StageContext context,
      String name,
      List<Failure> failures,
      List<Finding> findings,
      Recording recording)
      throws IOException, InterruptedException {
    context.progress().step("recording " + name);
    Path work = Files.createDirectories(context.work().resolve(name.replaceAll("\\W+", "-")));
    Path trace = work.resolve("trace");
    recording.record(trace, work.resolve("store"));
    validate(context, name, trace, failures, findings);
  }

  private static void validate(
      StageContext context, String name, Path file, List<Failure> failures, List<Finding> findings)
      throws IOException, InterruptedException {
    context.progress().step("checking " + name);
    Path work = context.work().resolve("tlc-" + name.replaceAll("\\W+", "-"));
    TraceResult result = TraceValidation.validate(name, file, context.checkout().specs(), work);
    findings.add(result);
    context
        .progress()
        .note(
            String.format(
                "%s: %s, %,d events of %d threads, %,.0f events/s",
                name,
                result.problem() == null ? "accepted" : "REJECTED",
                result.events(),
                result.threads(),
                result.eventsPerSecond()));
    if (result.problem() != null) {
      String first = result.problem().lines().findFirst().orElse("");
      failures.add(
          new Failure(
              "trace " + name + ": " + first, result.problem(), "./verify.sh trace " + file));
    }
  }

  /** Short traces, each changed in all the ways that must be noticed. */
  private static void corrupt(StageContext context, List<Failure> failures, List<Finding> findings)
      throws IOException, InterruptedException, TraceProblem {
    Path work = Files.createDirectories(context.work().resolve("corrupted"));
    Path files = work.resolve("files.trace");
    Recordings.onFiles(files, work.resolve("store"), SEED + 2, 3);
    Path failing = work.resolve("failing.trace");
    Recordings.inputOutputError(failing, SEED + 3, 4, 50);
    for (Path file : List.of(files, failing)) {
      context.progress().step("corrupting " + file.getFileName());
      CorruptedCheck.Outcome outcome =
          CorruptedCheck.check(
              context.checkout().specs(),
              work.resolve(file.getFileName() + "-tlc"),
              TraceFile.read(file));
      findings.add(outcome.counts());
      context
          .progress()
          .note(
              String.format(
                  "%s: %,d of %,d corrupted traces rejected",
                  file.getFileName(), outcome.counts().rejected(), outcome.counts().tried()));
      for (Corruptions.Corrupted accepted : outcome.accepted()) {
        String what = "a corrupted trace was accepted: " + accepted.change();
        failures.add(new Failure(what, accepted.event().toString(), "./verify.sh trace"));
      }
    }
  }
}
