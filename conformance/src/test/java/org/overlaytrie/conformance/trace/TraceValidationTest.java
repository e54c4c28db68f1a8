package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Progress;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.TraceResult;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** From the store's execution to TLC's verdict. */
class TraceValidationTest {
  private static final long SEED = 7;

  @TempDir Path directory;
  private Path file;

  @Test
  void acceptsWhatTheStoreDidAndNoneOfTheTracesThatDifferInOneChange() throws Exception {
    record(3);
    CorruptedCheck.Outcome outcome =
        CorruptedCheck.check(specs(), directory.resolve("tlc"), TraceFile.read(file));
    assertThat(outcome.accepted()).isEmpty();
    assertThat(outcome.counts().tried()).isGreaterThan(100);
    assertThat(outcome.counts().rejected()).isEqualTo(outcome.counts().tried());
  }

  @Test
  void acceptsRunsThatEndedBadlyEachTogetherWithTheRunAfterIt(TestReporter reporter)
      throws Exception {
    reporter.publishEntry("seed", Long.toString(SEED));
    List<List<Line>> traces = new ArrayList<>();
    Path powerLoss = directory.resolve("power-loss");
    Recordings.powerLoss(powerLoss, SEED, 100, 60);
    traces.add(Linearizer.linearize(TraceFile.read(powerLoss)));
    Path failed = directory.resolve("failed");
    Recordings.inputOutputError(failed, SEED, 100, 60);
    traces.add(Linearizer.linearize(TraceFile.read(failed)));
    Path killed = directory.resolve("killed");
    Path log = directory.resolve("child.log");
    Recordings.killed(killed, directory.resolve("store"), SEED, 5, 10, log);
    Trace trace = TraceFile.read(killed);
    assertThat(trace.killed()).isTrue();
    assertThat(trace.runs().get(0).threads()).hasSizeGreaterThanOrEqualTo(8);
    traces.add(Linearizer.linearize(trace));
    assertThat(actions(traces.get(1))).contains("FailStore", "AnswerFailure", "Crash");
    assertThat(TraceCheck.checkMany(specs(), directory.resolve("tlc"), traces))
        .containsExactly(true, true, true);
  }

  @Test
  void acceptsStoresThatAreClosedWhileOthersWrite(TestReporter reporter) throws Exception {
    reporter.publishEntry("seed", Long.toString(SEED));
    file = directory.resolve("trace");
    Recordings.closed(file, directory.resolve("store"), SEED, 10, 10);
    List<Line> lines = Linearizer.linearize(TraceFile.read(file));
    assertThat(actions(lines)).contains("CloseTip", "RefuseClosed", "WriteClose", "CloseLog");
    assertThat(TraceCheck.check(specs(), directory.resolve("tlc"), lines)).isNull();
  }

  @Test
  void namesTheLineThatNothingExplainsAndWhatWasPossibleThere() throws Exception {
    record(3);
    Trace wrong =
        Corruptions.of(TraceFile.read(file)).stream()
            .filter(one -> one.change().equals("drop ForceLog"))
            .findFirst()
            .orElseThrow()
            .trace();
    String problem =
        TraceCheck.check(specs(), directory.resolve("tlc"), Linearizer.linearize(wrong));
    assertThat(problem.lines().findFirst().orElseThrow())
        .startsWith("no action of SequencedCommit explains line ")
        .matches(".*: MakeVisible thread=w\\d+ lsn=\\d+   from MakeVisible\\[.*");
    assertThat(problem)
        .contains("by the same thread")
        .containsPattern(": WriteFrame thread=w\\d+ ")
        .contains("/\\ flush = ")
        .containsPattern("Possible: .*\"ForceLog\"");
  }

  @Test
  void namesTheInvariantThatAStepOfTheTraceViolates() throws Exception {
    Events events = new Events().recover(1).put(2, "key", "value").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).add(2, Kind.COLLECT_BATCH, 1L);
    events.add(2, Kind.WRITE_FRAME, 1L, 1L, 1L).add(2, Kind.MAKE_VISIBLE, 1L);
    Path config = directory.resolve("control.cfg");
    String rules = Files.readString(specs().resolve("TraceSequencedCommit.cfg"));
    assertThat(rules).contains("Removed = {}");
    Files.writeString(config, rules.replace("Removed = {}", "Removed = {\"ForceBeforeVisible\"}"));
    List<Line> lines = Linearizer.linearize(new Trace(List.of(events.closed())));
    assertThat(TraceCheck.check(specs(), config, directory.resolve("tlc"), lines))
        .startsWith(
            "VisibleIsDurableInv is violated after line " + lines.size() + " of " + lines.size())
        .contains(": MakeVisible thread=w1 lsn=1");
  }

  @Test
  void acceptsATraceThatBeginsInTheMiddleOfAStoresLife() throws Exception {
    record(20);
    recordRun(store -> store.putAll(Map.of("key1", "7-x", "key2", "7-y", "unseen", "7-z")));
    recordRun(
        store -> {
          store.get("key1");
          store.subMap("key1", "key2").clear();
          store.remove("key2", "7-y");
          store.clear(); // of what nobody mentions
          store.clear();
          store.writeBatch(
              batch -> {
                batch.put("key1", "7-again");
                batch.removePrefix("");
              });
        });
    List<Trace.Run> runs = TraceFile.read(file).runs();
    assertThat(runs).hasSize(4);
    for (Trace.Run run : runs.subList(1, 4)) {
      List<Line> lines = Linearizer.linearize(new Trace(List.of(run)));
      assertThat(lines.get(0).action()).isEqualTo("Begin");
      assertThat(TraceCheck.check(specs(), directory.resolve("tlc" + run.number()), lines))
          .isNull();
    }
    List<Line> last = Linearizer.linearize(new Trace(runs.subList(3, 4)));
    assertThat(last.get(0).fields().get("entries")).contains("key1:7-x", "key2:7-y");
  }

  @Test
  void acceptsWhatWasComputedAnewAndWhatAFunctionThrewAndNoneOfTheTracesThatDifferInOneChange()
      throws Exception {
    file = directory.resolve("trace");
    recordRun(
        store -> {
          store.put("key", "1");
          store.compute(
              "key", (key, old) -> old.equals("1") ? store.put("key", "2") + "late" : old + "3");
          assertThatThrownBy(
                  () ->
                      store.merge(
                          "key",
                          "4",
                          (old, added) -> {
                            throw new ArithmeticException(old);
                          }))
              .hasMessage("23");
          store.get("key");
        });
    Trace trace = TraceFile.read(file);
    assertThat(actions(Linearizer.linearize(trace))).contains("Withdraw");
    CorruptedCheck.Outcome outcome = CorruptedCheck.check(specs(), directory.resolve("tlc"), trace);
    assertThat(outcome.accepted()).isEmpty();
  }

  private void recordRun(Consumer<OverlayTrie<String, String>> work) {
    System.setProperty(TraceRecorder.FILE_PROPERTY, file.toString());
    try (OverlayTrie<String, String> store =
        OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.string())) {
      work.accept(store);
    } finally {
      System.clearProperty(TraceRecorder.FILE_PROPERTY);
    }
  }

  @Test
  void acceptsWhatAProgramRecordedThatWasStartedWithTheSystemProperty() throws Exception {
    file = directory.resolve("trace");
    for (int run = 0; run < 2; run++) {
      String value = "value " + run;
      recordRun(store -> store.put("key", value));
    }
    Trace trace = TraceFile.read(file);
    assertThat(trace.runs()).hasSize(2).allMatch(Trace.Run::closed);
    List<Line> lines = Linearizer.linearize(trace);
    assertThat(actions(lines)).contains("Crash").contains("Answer");
    assertThat(TraceCheck.check(specs(), directory.resolve("tlc"), lines)).isNull();
  }

  @Test
  void checksTheFilesThatTheUserNames() throws Exception {
    record(1);
    StageResult result = new TraceStage().run(context(file.toString()));
    assertThat(result.failures()).isEmpty();
    assertThat(result.findings().traces())
        .extracting(TraceResult::result)
        .containsExactly(TraceResult.Result.ACCEPTED);
    Files.writeString(file, "no trace");
    assertThat(new TraceStage().run(context(file.toString())).failures().get(0).what())
        .contains("is not a trace");
    assertThatThrownBy(() -> new TraceStage().run(context("no/such/file")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no/such/file");
  }

  private void record(int operations) throws Exception {
    file = directory.resolve("trace");
    Recordings.onFiles(file, directory.resolve("store"), SEED, operations);
  }

  private StageContext context(String argument) {
    return new StageContext(
        new Checkout(specs().getParent()),
        directory.resolve("work"),
        false,
        List.of(argument),
        Progress.SILENT,
        Findings.NONE);
  }

  private static List<String> actions(List<Line> lines) {
    return lines.stream().map(Line::action).toList();
  }

  private static Path specs() {
    return Path.of("..", "specs").toAbsolutePath().normalize();
  }
}
