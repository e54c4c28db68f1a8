package org.overlaytrie.linearizability;

import static org.overlaytrie.linearizability.Lincheck.modelChecking;
import static org.overlaytrie.linearizability.Lincheck.notices;
import static org.overlaytrie.linearizability.Lincheck.passes;
import static org.overlaytrie.linearizability.Lincheck.stress;

import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.Checks;

/** The whole store over a simulated disk, with its own parking. */
class StoreLinearizabilityTest {
  @Test
  @Checks({
    "SequencedCommit!AnsweredIsVisibleInv",
    "SequencedCommit!CommitOrderIsLogOrderInv",
    "SequencedCommit!RefinesDurableMapProp",
  })
  void isLinearizableUnderChosenInterleavingsOfTwoThreads() {
    passes(modelChecking(2, 80), MapSpecification.class, StoreOperations.class);
  }

  @Test
  @Checks({
    "SequencedCommit!AnsweredIsVisibleInv",
    "SequencedCommit!CommitOrderIsLogOrderInv",
    "SequencedCommit!RefinesDurableMapProp",
  })
  void isLinearizableUnderChosenInterleavingsOfThreeThreads() {
    passes(modelChecking(3, 80), MapSpecification.class, StoreOperations.class);
  }

  @Test
  @Checks("SequencedCommit!AnsweredIsVisibleInv")
  void isLinearizableOnFreeThreads() {
    passes(stress(3, 300), MapSpecification.class, StoreOperations.class);
  }

  @Test
  @Checks("BufferedCommit!RefinesBufferedDurableMapProp")
  void isLinearizableWhereWritersDoNotWait() {
    passes(
        modelChecking(2, 80),
        UnforcedStoreOperations.Specification.class,
        UnforcedStoreOperations.class);
    passes(
        stress(3, 300), UnforcedStoreOperations.Specification.class, UnforcedStoreOperations.class);
  }

  @Test
  void navigatesAndComputesLinearizably() {
    passes(
        modelChecking(2, 80), NavigationOperations.Specification.class, NavigationOperations.class);
    passes(stress(3, 300), NavigationOperations.Specification.class, NavigationOperations.class);
  }

  @Test
  @Checks({
    "SequencedCommit!BatchAtomicInv",
    "DocumentTransaction!TransactionAtomicInv",
    "DocumentTransaction!AbortLeavesNoTraceInv",
    "DocumentTransaction!ValidatedReadsHoldInv",
  })
  void writesManyKeysAndComputesAtomically() {
    passes(
        modelChecking(2, 60), CompositeOperations.Specification.class, CompositeOperations.class);
    passes(
        modelChecking(3, 20), CompositeOperations.Specification.class, CompositeOperations.class);
    passes(stress(3, 100), CompositeOperations.Specification.class, CompositeOperations.class);
  }

  @Test
  void batchesThatAreSeenInPartAreNoticed() {
    notices(
        modelChecking(2, 80),
        CompositeOperations.Specification.class,
        CompositeOperations.Broken.class);
  }

  @Test
  void transactionsThatOverlookAnotherAreNoticed() {
    notices(
        modelChecking(2, 80),
        NavigationOperations.Broken.Specification.class,
        CompositeOperations.Unvalidated.class);
  }

  @Test
  void incrementsThatAreLostAreNoticed() {
    notices(
        modelChecking(2, 80),
        NavigationOperations.Broken.Specification.class,
        NavigationOperations.Broken.class);
  }

  @Test
  void aSnapshotAndAnIteratorAreReadsOfOneMoment() {
    passes(modelChecking(2, 80), SnapshotOperations.Specification.class, SnapshotOperations.class);
    passes(stress(3, 300), SnapshotOperations.Specification.class, SnapshotOperations.class);
  }

  @Test
  void readingInManyStepsIsNoticed() {
    notices(
        modelChecking(2, 200),
        SnapshotOperations.Broken.Specification.class,
        SnapshotOperations.Broken.class);
  }

  @Test
  @Checks({
    "SequencedCommit!FailedAcknowledgesNothingInv",
    "SequencedCommit!ObservedIsDurableInv",
  })
  void showsAndAnswersNothingOnceTheDiskFails() {
    passes(
        modelChecking(3, 80),
        FailingStoreOperations.Specification.class,
        FailingStoreOperations.class);
  }

  @Test
  void lookingAndThenWritingIsNoticedUnderChosenInterleavings() {
    notices(
        modelChecking(2, 80),
        StoreOperations.Broken.Specification.class,
        StoreOperations.Broken.class);
  }

  @Test
  void lookingAndThenWritingIsNoticedOnFreeThreads() {
    notices(
        stress(2, 20_000),
        StoreOperations.Broken.Specification.class,
        StoreOperations.Broken.class);
  }

  @Test
  void readingTheTipIsNoticedOnceTheDiskFails() {
    notices(
        modelChecking(2, 80),
        FailingStoreOperations.Specification.class,
        FailingStoreOperations.Broken.class);
  }
}
