package org.overlaytrie.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.overlaytrie.schedules.scenario.Stores;
import org.overlaytrie.spec.Checks;

/**
 * The store's real commit and parking code under all schedules within a bound. In every one of them
 * each write must be answered, and whatever a thread was told must be on the disk at that moment.
 *
 * <p>{@link BrokenCommitScheduleTest} shows that these scenarios notice a missing step.
 */
class CommitScheduleTest {
  private final TestReporter reporter;

  CommitScheduleTest(TestReporter reporter) {
    this.reporter = reporter;
  }

  /** A scenario on the store whose steps are visible; {@code twin} is as in {@link Twin}. */
  static Scenario load(Class<? extends Scenario> type, Map<String, byte[]> twin) throws Exception {
    return new SteppingLoader(
            name ->
                name.startsWith("org.overlaytrie.commit.")
                    || name.startsWith("org.overlaytrie.OverlayTrie")
                    || name.endsWith("MapView"), // what it is made of
            twin)
        .scenario(type);
  }

  @Test
  @Checks({
    "SequencedCommit!EveryWriteIsAnsweredProp",
    "SequencedCommit!VisibleAdvancesProp",
    "SequencedCommit!AnsweredIsVisibleInv",
    "SequencedCommit!VisibleIsDurableInv",
  })
  void answersTwoWriters() throws Exception {
    exploreAll(Stores.TwoWriters.class, 3, 0);
  }

  @Test
  @Checks("SequencedCommit!EveryWriteIsAnsweredProp")
  void answersTwoWritersThatWakeForNoReason() throws Exception {
    exploreAll(Stores.TwoWriters.class, 2, 1);
  }

  @Test
  @Checks({
    "SequencedCommit!EveryWriteIsAnsweredProp",
    "SequencedCommit!VisibleAdvancesProp",
    "SequencedCommit!AnsweredIsVisibleInv",
    "SequencedCommit!VisibleIsDurableInv",
    "SequencedCommit!CommitOrderIsLogOrderInv",
  })
  void answersThreeWriters() throws Exception {
    exploreAll(Stores.ThreeWriters.class, 2, 0);
  }

  @Test
  @Checks({
    "SequencedCommit!ObservedIsDurableInv",
    "SequencedCommit!VisibleIsDurableInv",
  })
  void showsNothingThatIsNotDurable() throws Exception {
    exploreAll(Stores.WriterObserverReader.class, 2, 0);
  }

  @Test
  @Checks({
    "SequencedCommit!BatchAtomicInv",
    "DocumentTransaction!TransactionAtomicInv",
  })
  void showsBatchesWhole() throws Exception {
    exploreAll(Stores.BatchAndReader.class, 2, 0);
  }

  @Test
  @Checks("DocumentTransaction!ValidatedReadsHoldInv")
  void letsNoTransactionOverlookAnother() throws Exception {
    exploreAll(Stores.TwoCounters.class, 2, 0);
  }

  @Test
  @Checks({
    "SequencedCommit!FailedAcknowledgesNothingInv",
    "SequencedCommit!EveryWriteIsAnsweredProp",
  })
  void refusesEveryWriterOfAFailedStore() throws Exception {
    exploreAll(Stores.FailingForce.class, 2, 0);
  }

  @Test
  @Checks("SequencedCommit!EveryWriteIsAnsweredProp")
  void closesWhileOthersWrite() throws Exception {
    exploreAll(Stores.WritersAndCloser.class, 2, 0);
  }

  @Test
  @Checks("SequencedCommit!FailedAcknowledgesNothingInv")
  void closesWhileItsLeaderFails() throws Exception {
    exploreAll(Stores.FailingForceAndCloser.class, 2, 0);
  }

  @Test
  @Checks({
    "BufferedCommit!EverySyncIsAnsweredProp",
    "BufferedCommit!SyncedIsDurableInv",
  })
  void answersSyncsOfWritersThatDoNotWait() throws Exception {
    exploreAll(Stores.TwoSyncs.class, 3, 0);
    exploreAll(Stores.SyncsAndCloser.class, 2, 0);
    exploreAll(Stores.FailingSyncs.class, 2, 0);
  }

  @Test
  @Checks({
    "SequencedCommit!EveryWriteIsAnsweredProp",
    "SequencedCommit!AnsweredIsVisibleInv",
  })
  void answersFourBusyWritersInRandomSchedules() throws Exception {
    long seed = Long.getLong("overlaytrie.seed", System.nanoTime()); // a failure names it
    Scenario scenario = load(Stores.FourBusyWriters.class, Map.of());
    requireRight(new Explorer(100, 1).exploreRandomly(scenario, seed, 2_000));
  }

  private void exploreAll(Class<? extends Scenario> type, int preemptions, int spuriousWakeUps)
      throws Exception {
    requireRight(new Explorer(preemptions, spuriousWakeUps).exploreAll(load(type, Map.of())));
  }

  private void requireRight(Explorer.Result result) {
    if (result.failure() != null) {
      throw result.failure();
    }
    assertThat(result.executions()).isGreaterThan(500);
    reporter.publishEntry(result.executions() + " schedules, " + result.steps() + " steps");
  }
}
