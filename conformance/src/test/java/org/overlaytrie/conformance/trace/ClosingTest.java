package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** Closing is told as operations that change nothing. */
class ClosingTest {

  @Test
  void leavesOperationsAsTheyAre() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).flush(2, 1, 1).add(2, Kind.DRAIN_WAITERS);
    events.add(2, Kind.RELEASE_LEADERSHIP, 2L).add(2, Kind.RECHECK_TIP, 1L).answer(2, null);
    assertThat(Closing.asOperations(events.closed())).isEqualTo(events.closed());
  }

  @Test
  void tellsTheLeadershipForGoodAsThatOfAnOperation() {
    Events events =
        new Events().recover(1).add(1, Kind.BECOME_LEADER, 1L).add(1, Kind.FORCE_LOG, 0L);
    assertThat(told(events, 0))
        .endsWith("FinishRecovery[0]", "Invoke[]", "ObserveNoOp[0]", "BecomeLeader[1]");
  }

  @Test
  void tellsTheWaitForTheLastVersionAsThatOfAnOperation() {
    Events events = new Events().recover(1);
    events.add(1, Kind.ENQUEUE, 1L).add(1, Kind.RECHECK_VISIBLE, 0L).add(1, Kind.PARK, 1L);
    events.add(1, Kind.BECOME_LEADER, 3L).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    assertThat(told(events, 0))
        .endsWith(
            "Invoke[]",
            "ObserveNoOp[1]",
            "Enqueue[1]",
            "RecheckVisible[0]",
            "Park[1]",
            "Answer[]",
            "Invoke[]",
            "ObserveNoOp[1]",
            "BecomeLeader[3]");
  }

  @Test
  void tellsTheHandOverToTheClosingThreadAsReleaseAndAcquisition() {
    Events events = new Events().recover(1).add(1, Kind.ENQUEUE, TraceEvent.NEVER);
    events.add(1, Kind.RECHECK_VISIBLE, 1L).add(1, Kind.PARK, 1L);
    events.put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.BECOME_LEADER, 1L);
    events.flush(2, 1, 1).add(2, Kind.DRAIN_WAITERS, 1L, 3L, TraceEvent.NEVER, 1L);
    events.add(2, Kind.HAND_OVER, 1L, TraceEvent.NEVER, 3L).answer(2, null);
    assertThat(told(events, 0)).endsWith("Invoke[]", "ObserveNoOp[1]", "BecomeLeader[3]");
    assertThat(told(events, 1))
        .endsWith("DrainWaiters[3, 1]", "ReleaseLeadership[2]", "RecheckTip[1]", "Answer[]");
  }

  @Test
  void tellsAnotherRoundForTheClosingThreadAsOneOfAnOperationOfItsOwn() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).flush(2, 1, 1).add(2, Kind.DRAIN_WAITERS);
    events.add(2, Kind.RELEASE_LEADERSHIP, 2L).add(2, Kind.RECHECK_TIP, 1L);
    events.add(2, Kind.BECOME_LEADER, 3L).add(2, Kind.COLLECT_BATCH, 1L).add(2, Kind.DRAIN_WAITERS);
    events.add(2, Kind.RELEASE_LEADERSHIP, 4L).add(2, Kind.RECHECK_TIP, 1L).answer(2, "before");
    List<TraceEvent> told = Closing.asOperations(events.closed()).threads().get(1);
    assertThat(told)
        .extracting(TraceEvent::action)
        .endsWith(
            "RecheckTip",
            "Answer",
            "Invoke",
            "ObserveNoOp",
            "BecomeLeader",
            "CollectBatch",
            "DrainWaiters",
            "ReleaseLeadership",
            "RecheckTip",
            "Answer");
    assertThat(told.stream().filter(e -> e.kind() == Kind.ANSWER).map(e -> e.texts().get(0)))
        .containsExactly("before", null);
  }

  @Test
  void leavesOutWhatWasInvokedAfterTheStoreWasClosed() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.OBSERVE_NO_OP, 0L);
    events.answer(2, "a").put(2, "key", "b").read(2, 0, "key", "a").put(2, "key", "c");
    assertThat(told(events, 1))
        .containsExactly("Invoke[]", "ObserveNoOp[0]", "Answer[]", "Invoke[]", "ReadVisible[0]");
  }

  private static List<String> told(Events events, int thread) {
    return Closing.asOperations(events.closed()).threads().get(thread).stream()
        .map(event -> event.action() + event.numbers())
        .toList();
  }
}
