package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.spec.Checks;

/**
 * Two clients with up to six requests: schedules by preemption bound, a crash at every operation,
 * every surviving subset, a second crash at every operation of recovery.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!VisibleIsDurableInv",
  "SequencedCommit!AnsweredIsVisibleInv",
  "SequencedCommit!ObservedIsDurableInv",
  "SequencedCommit!CommitOrderIsLogOrderInv",
  "SequencedCommit!RecoveredIsPrefixInv",
  "SequencedCommit!NoLostWriteInv",
  "SequencedCommit!NoInventedWriteInv",
  "SequencedCommit!RefinesDurableMapProp"
})
class ExhaustiveCrashTest {
  private final Recoveries recoveries = new Recoveries(Programs.TINY);
  private final LongAdder executions = new LongAdder();

  @Test
  void twoWritesUnderEveryScheduleOfTwoPreemptions(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.pairs(), 2);
  }

  @Test
  @Checks({
    "SequencedCommit!BatchAtomicInv",
    "DocumentTransaction!TransactionAtomicInv",
    "DocumentTransaction!UnfinishedNeverReplaysInv"
  })
  void batchesUnderEveryScheduleOfTwoPreemptions(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.batches(), 2);
  }

  @Test
  void sixRequestsUnderEveryScheduleOfTwoPreemptions(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.ofSix(2, 3), 2);
  }

  @Test
  void sixRequestsUnderEveryScheduleOfOnePreemption(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.ofSix(24, 2), 1);
  }

  @Test
  void sixRequestsThatFillSegmentsUnderEveryScheduleOfOnePreemption(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.ofSix(8, 1000), 1);
    assertThat(recoveries.mostSegments()).as("segments in use").isGreaterThan(1);
  }

  @Test
  @Checks({
    "WatermarkReclamation!NoNeededRecordReclaimedInv",
    "WatermarkReclamation!RecoveredEqualsVisibleInv",
    "CheckpointedCommit!ImageAndLogAgreeInv"
  })
  void checkpointsUnderEveryScheduleOfOnePreemption(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.withCheckpoints(2), 1);
  }

  @Test
  @Checks({
    "WatermarkReclamation!RetainedIsContiguousInv",
    "WatermarkReclamation!ReclaimBelowBoundInv",
    "WatermarkReclamation!EitherSlotSufficesInv",
    "WatermarkReclamation!ClaimIsDurableInv",
    "CheckpointTriggers!NoMetadataBeforeCheckpointInv"
  })
  void checkpointsThatGiveBackSegments(TestReporter reporter) {
    explore(reporter, Programs.closedStore(), Programs.INITIAL, Programs.withCheckpoints(1500), 0);
  }

  @Test
  void theCreationOfAStoreAndItsFirstWrites(TestReporter reporter) {
    List<List<Request>> program =
        List.of(List.of(Request.put("a", "1")), List.of(Request.put("b", "2")));
    explore(reporter, new SimulatedStorage(), Map.of(), List.of(program), 0);
  }

  private void explore(
      TestReporter reporter,
      SimulatedStorage disk,
      Map<String, String> initial,
      List<List<List<Request>>> programs,
      int preemptions) {
    long crashes =
        programs.parallelStream()
            .mapToLong(program -> exploreSchedules(disk, initial, program, preemptions))
            .sum();
    reporter.publishEntry(
        Map.of(
            "exhaustivePoints", Long.toString(crashes),
            "executions", executions.toString(),
            "disks", Integer.toString(recoveries.disks()),
            "secondCrashes", Long.toString(recoveries.secondCrashes())));
    assertThat(crashes).isGreaterThan(100L * programs.size());
  }

  private long exploreSchedules(
      SimulatedStorage disk,
      Map<String, String> initial,
      List<List<Request>> program,
      int preemptions) {
    Exploration schedules = new Exploration(preemptions);
    long crashes = 0;
    do {
      executions.increment();
      crashes += execute(disk, initial, program, new Turns(schedules));
    } while (schedules.next());
    return crashes;
  }

  private long execute(
      SimulatedStorage disk,
      Map<String, String> initial,
      List<List<Request>> program,
      Turns turns) {
    Execution.Past past = Execution.Past.of(initial, initial.size());
    Execution execution =
        new Execution(
            disk, past, Programs.TINY, operation -> null, turns, Programs.KEYS, initial.size());
    try {
      execution.open();
      execution.run(program);
      execution.close();
      long crashes = 0;
      for (CrashPoint point : execution.points()) {
        crashes += point.check(past, recoveries);
      }
      return crashes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (AssertionError e) {
      throw new AssertionError("with " + program + ": " + e.getMessage(), e);
    }
  }
}
