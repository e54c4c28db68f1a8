package org.overlaytrie.conformance.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.HtmlReport;
import org.overlaytrie.conformance.report.Json;
import org.overlaytrie.conformance.report.StageRecord;
import org.overlaytrie.conformance.report.VerifyReport;

/** Runs some stages, keeps what they found, and writes the report. */
final class StagesCommand {

  private static final int REFRESH_MILLIS = 250;

  private final Environment environment;
  private final List<Stage> all;
  private final boolean deep;
  private final boolean json;
  private final PrintStream out;
  private final Console console;
  private final long startNanos = System.nanoTime();
  private final Map<String, StageRecord> ran = new ConcurrentHashMap<>();
  private final Map<String, UsageException> refused = new ConcurrentHashMap<>();

  StagesCommand(Environment environment, List<Stage> all, boolean deep, boolean json) {
    this.environment = environment;
    this.all = all;
    this.deep = deep;
    this.json = json;
    this.out = json ? environment.err() : environment.out();
    boolean terminal = json ? environment.errIsTerminal() : environment.outIsTerminal();
    this.console = new Console(out, terminal, environment.columns());
  }

  /**
   * Runs the stages, none for the report alone.
   *
   * @return the exit status
   * @throws UsageException if the arguments name nothing, or another command is at work here
   */
  int run(List<Stage> chosen, List<String> arguments) throws Exception {
    Path output = Files.createDirectories(environment.checkout().output());
    try (FileChannel file =
            FileChannel.open(
                output.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(file)) {
      return lock.isValid() ? runLocked(chosen, arguments) : 2;
    }
  }

  private FileLock lock(FileChannel file) throws IOException {
    FileLock lock;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new UsageException("Another verify.sh is at work in this checkout.");
    }
    return lock;
  }

  private int runLocked(List<Stage> chosen, List<String> arguments) throws Exception {
    Records records = new Records(environment.checkout());
    String fingerprint = Sources.fingerprint(environment.checkout());
    if (chosen.equals(all)) {
      records.clear();
    }
    Thread clock = new Thread(this::refresh, "progress");
    clock.setDaemon(true);
    clock.start();
    new Scheduler(environment.cores())
        .run(chosen, stage -> runStage(stage, arguments, fingerprint, records));
    clock.interrupt();
    clock.join();
    if (!refused.isEmpty()) {
      throw refused.values().iterator().next();
    }
    return report(fingerprint, records);
  }

  private void refresh() {
    try {
      while (true) {
        Thread.sleep(REFRESH_MILLIS);
        console.refresh();
      }
    } catch (InterruptedException e) {
      // No stage is running any more.
    }
  }

  private void runStage(Stage stage, List<String> arguments, String fingerprint, Records records) {
    Duration expected = stage.expected(deep);
    Progress progress = console.begin(stage.name(), expected);
    long start = System.nanoTime();
    StageResult result;
    try {
      Path work = environment.checkout().output().resolve("work").resolve(stage.name());
      Directories.deleteTree(work);
      Files.createDirectories(work);
      result =
          stage.run(
              new StageContext(
                  environment.checkout(),
                  work,
                  deep,
                  arguments,
                  progress,
                  findingsBefore(stage, fingerprint, records)));
    } catch (UsageException e) {
      refused.put(stage.name(), e);
      console.end(stage.name(), "cannot run: " + e.getMessage());
      return;
    } catch (Throwable e) {
      result = StageResult.of(List.of(broke(stage, e)), List.of());
    }
    long nanos = System.nanoTime() - start;
    StageRecord stageRecord =
        new StageRecord(
            stage.name(),
            stage.description(),
            fingerprint,
            arguments,
            nanos / 1e9,
            expected.toMillis() / 1e3,
            result.failures(),
            result.findings());
    ran.put(stage.name(), stageRecord);
    keep(stageRecord, records);
    int failed = result.failures().size();
    console.end(
        stage.name(),
        (failed == 0 ? "ok" : "FAILED (" + failed + ")") + " after " + Console.clock(nanos));
  }

  private void keep(StageRecord stageRecord, Records records) {
    // What was selected is not the whole stage: later commands must not take it for that.
    if (stageRecord.arguments().isEmpty()) {
      try {
        records.put(stageRecord);
      } catch (IOException e) {
        console.end(stageRecord.name(), "cannot keep the result: " + e);
      }
    }
  }

  private static Failure broke(Stage stage, Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    return new Failure(
        "the stage itself broke: " + e, trace.toString(), "./verify.sh " + stage.name());
  }

  private Findings findingsBefore(Stage stage, String fingerprint, Records records) {
    Findings findings = Findings.NONE;
    for (String before : stage.after()) {
      Optional<StageRecord> found = find(before, fingerprint, records);
      findings = found.isPresent() ? findings.plus(found.get().findings()) : findings;
    }
    return findings;
  }

  private Optional<StageRecord> find(String stage, String fingerprint, Records records) {
    StageRecord fresh = ran.get(stage);
    return fresh != null ? Optional.of(fresh) : records.get(stage, fingerprint);
  }

  private int report(String fingerprint, Records records) throws Exception {
    List<StageRecord> found = new ArrayList<>();
    for (Stage stage : all) {
      find(stage.name(), fingerprint, records).ifPresent(found::add);
    }
    if (found.isEmpty()) {
      throw new UsageException(
          "No stage has run as a whole on these sources, and what ran in part is not kept: run"
              + " ./verify.sh");
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9 + environment.buildSeconds();
    VerifyReport report =
        VerifyReport.of(
            new VerifyReport.Command(
                seconds,
                environment.buildSeconds(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Sources.commit(environment.checkout()),
                VerifyReport.Host.here()),
            all.stream().map(Stage::name).toList(),
            found);
    Path output = environment.checkout().output();
    Json.write(output.resolve("report.json"), report);
    Files.writeString(
        output.resolve("report.html"), HtmlReport.of(report, environment.checkout().specs()));
    new Summary(out).print(report, environment.checkout());
    if (json) {
      environment.out().print(Json.pretty(report));
      environment.out().flush();
    }
    return report.status() == StageRecord.Status.PASS ? 0 : 1;
  }
}
