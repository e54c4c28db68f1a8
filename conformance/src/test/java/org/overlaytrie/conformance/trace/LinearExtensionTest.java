package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** Events find their places by what their threads did before and by the values that they saw. */
class LinearExtensionTest {

  @Test
  void ordersCommitsByTheirLsnsWhateverThreadRecordedThem() throws TraceProblem {
    Trace.Run run =
        new Events()
            .recover(1)
            .add(2, Kind.COMMIT_VERSION, 2L)
            .add(2, Kind.COMMIT_VERSION, 3L)
            .add(3, Kind.COMMIT_VERSION, 1L)
            .add(3, Kind.COMMIT_VERSION, 4L)
            .closed();
    assertThat(LinearExtension.of(run).stream().filter(e -> e.kind() == Kind.COMMIT_VERSION))
        .extracting(TraceEvent::lsn)
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void putsAReadBetweenTheVersionItSawAndTheNext() throws TraceProblem {
    Events events = new Events().recover(1).read(3, 2, "key", "value").read(3, 4, "key", "other");
    events
        .add(2, Kind.MAKE_VISIBLE, 2L)
        .add(2, Kind.MAKE_VISIBLE, 4L)
        .add(2, Kind.MAKE_VISIBLE, 5L);
    assertThat(actions(events.closed(), Kind.READ_VISIBLE, Kind.MAKE_VISIBLE))
        .containsExactly(
            "MakeVisible 2", "ReadVisible 2", "MakeVisible 4", "ReadVisible 4", "MakeVisible 5");
  }

  @Test
  void putsWhatSawTheTipBetweenTwoCommits() throws TraceProblem {
    Events events = new Events().recover(1);
    events.add(4, Kind.OBSERVE_NO_OP, 1L);
    events.add(2, Kind.COMMIT_VERSION, 1L).add(3, Kind.COMMIT_VERSION, 2L);
    assertThat(actions(events.closed(), Kind.OBSERVE_NO_OP, Kind.COMMIT_VERSION))
        .containsExactly("CommitVersion 1", "ObserveNoOp 1", "CommitVersion 2");
  }

  @Test
  void putsTheClosedTipBehindTheLastCommitAndAllThatSawItOpen() throws TraceProblem {
    Events events = new Events().recover(1).put(4, "key", "a").add(4, Kind.REFUSE_CLOSED);
    events.add(3, Kind.CLOSE_TIP, 1L);
    events.put(2, "key", "b").add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.OBSERVE_NO_OP, 1L);
    assertThat(
            LinearExtension.of(events.closed()).stream()
                .filter(e -> e.kind() != Kind.INVOKE)
                .skip(3)
                .map(TraceEvent::action))
        .containsExactly("CommitVersion", "ObserveNoOp", "CloseTip", "RefuseClosed");
  }

  @Test
  void putsTheEndOfTheLogAfterTheClosedVersionWasMadeVisible() throws TraceProblem {
    Events events = new Events().recover(1).add(2, Kind.CLOSE_TIP, 0L).add(2, Kind.WRITE_CLOSE, 0L);
    events.add(3, Kind.BECOME_LEADER, 1L).add(3, Kind.COLLECT_BATCH, ProtocolEvents.NEVER);
    events.add(3, Kind.MAKE_VISIBLE, ProtocolEvents.NEVER);
    assertThat(LinearExtension.of(events.closed()).stream().skip(3).map(TraceEvent::action))
        .containsExactly("BecomeLeader", "CloseTip", "CollectBatch", "MakeVisible", "WriteClose");
  }

  @Test
  void refusesAClosedLogThatNeitherTheClosedVersionNorAFailureExplains() {
    Events events = new Events().recover(1).add(2, Kind.CLOSE_TIP, 0L).add(2, Kind.CLOSE_LOG);
    assertThatThrownBy(() -> LinearExtension.of(events.closed()))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("no event failed the store");
  }

  @Test
  void putsAWaiterOnTheStackBetweenTheDrainBeforeAndTheDrainThatFoundIt() throws TraceProblem {
    Events events = new Events().recover(1);
    events.add(3, Kind.ENQUEUE, 2L).add(4, Kind.ENQUEUE, 1L).add(5, Kind.ENQUEUE, 3L);
    events
        .add(2, Kind.BECOME_LEADER, 1L)
        .add(2, Kind.COLLECT_BATCH, 0L)
        .add(2, Kind.DRAIN_WAITERS, 4L, 1L)
        .add(2, Kind.RELEASE_LEADERSHIP, 2L)
        .add(2, Kind.BECOME_LEADER, 3L)
        .add(2, Kind.COLLECT_BATCH, 0L)
        .add(2, Kind.DRAIN_WAITERS, 3L, 2L);
    assertThat(
            LinearExtension.of(events.closed()).stream()
                .filter(e -> e.kind() == Kind.ENQUEUE || e.kind() == Kind.DRAIN_WAITERS)
                .map(e -> e.action() + " " + e.entries()))
        .containsExactly(
            "Enqueue [Entry[thread=4, lsn=1]]",
            "DrainWaiters [Entry[thread=4, lsn=1]]",
            "Enqueue [Entry[thread=3, lsn=2]]",
            "DrainWaiters [Entry[thread=3, lsn=2]]",
            "Enqueue [Entry[thread=5, lsn=3]]");
  }

  @Test
  void putsANewLeaderAfterItsPromotion() throws TraceProblem {
    Events events = new Events().recover(1);
    events.add(2, Kind.ENQUEUE, 1L).add(2, Kind.COLLECT_BATCH, 0L);
    events
        .add(3, Kind.BECOME_LEADER, 1L)
        .add(3, Kind.COLLECT_BATCH, 0L)
        .add(3, Kind.DRAIN_WAITERS, 2L, 1L)
        .add(3, Kind.HAND_OVER, 2L, 1L, 3L);
    assertThat(
            LinearExtension.of(events.closed()).stream()
                .filter(e -> e.kind() == Kind.COLLECT_BATCH || e.kind() == Kind.HAND_OVER)
                .map(e -> e.action() + " by " + e.thread()))
        .containsExactly("CollectBatch by 3", "HandOver by 3", "CollectBatch by 2");
  }

  @Test
  void putsAnAnswerAfterTheWakeUpWherePossible() throws TraceProblem {
    Events events = new Events().recover(1).put(2, "key", "value");
    events.add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.ENQUEUE, 1L).answer(2, null);
    events
        .add(3, Kind.BECOME_LEADER, 1L)
        .flush(3, 1, 1)
        .add(3, Kind.DRAIN_WAITERS, 2L, 1L)
        .add(3, Kind.WAKE_SERVED, 2L, 1L);
    assertThat(actions(events.closed(), Kind.WAKE_SERVED, Kind.ANSWER))
        .containsExactly("WakeServed 1", "Answer");
  }

  @Test
  void putsAnAnswerBeforeTheWakeUpWhereTheThreadWentOnMeanwhile() throws TraceProblem {
    Events events = new Events().recover(1).put(2, "key", "value");
    events.add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.ENQUEUE, 1L).answer(2, null);
    events.put(2, "key", "other").add(2, Kind.COMMIT_VERSION, 2L).add(2, Kind.ENQUEUE, 2L);
    events
        .add(3, Kind.BECOME_LEADER, 1L)
        .flush(3, 1, 1)
        .add(3, Kind.DRAIN_WAITERS, 2L, 2L, 2L, 1L)
        .add(3, Kind.WAKE_SERVED, 2L, 1L);
    assertThat(actions(events.closed(), Kind.WAKE_SERVED, Kind.ANSWER))
        .containsExactly("Answer", "WakeServed 1");
  }

  @Test
  void waitersArePushedFromTheBottomOfTheStackToItsTop() throws TraceProblem {
    for (List<Long> newestFirst : List.of(List.of(2L, 4L), List.of(4L, 2L))) {
      Events events = new Events().recover(1);
      events.add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.ENQUEUE, 1L);
      events.add(4, Kind.COMMIT_VERSION, 2L).add(4, Kind.ENQUEUE, 2L);
      long top = newestFirst.get(0);
      long bottom = newestFirst.get(1);
      events
          .add(3, Kind.BECOME_LEADER, 1L)
          .add(3, Kind.COLLECT_BATCH, 2L)
          .add(3, Kind.DRAIN_WAITERS, top, bottom, top / 2, bottom / 2);
      assertThat(actions(events.closed(), Kind.ENQUEUE))
          .containsExactly("Enqueue " + bottom / 2, "Enqueue " + top / 2);
    }
  }

  @Test
  void whoSawNobodyOnTheStackDidSoBeforeTheNextWasPushed() throws TraceProblem {
    Events events = new Events().recover(1);
    events.add(2, Kind.COMMIT_VERSION, 1L).add(2, Kind.ENQUEUE, 1L);
    events
        .add(3, Kind.BECOME_LEADER, 1L)
        .add(3, Kind.DRAIN_WAITERS)
        .add(3, Kind.RELEASE_LEADERSHIP, 2L)
        .add(3, Kind.RECHECK_STACK, 0L);
    events.add(4, Kind.BECOME_LEADER, 3L).add(4, Kind.DRAIN_WAITERS, 2L, 1L);
    assertThat(actions(events.closed(), Kind.ENQUEUE, Kind.RECHECK_STACK))
        .containsExactly("RecheckStack 0", "Enqueue 1");
  }

  @Test
  void listsTheEventsOfACycle() {
    Events events = new Events().recover(1).add(2, Kind.MAKE_VISIBLE, 1L);
    events.add(2, Kind.MAKE_VISIBLE, 2L).read(3, 2, "key", "new").read(3, 1, "key", "old");
    assertThatThrownBy(() -> LinearExtension.of(events.closed()))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("no order of these events explains them")
        .hasMessageContaining("MakeVisible[2], event 2 of thread 2, run 1")
        .hasMessageContaining("ReadVisible[2, key, new], event 1 of thread 3, run 1")
        .hasMessageContaining("ReadVisible[1, key, old], event 2 of thread 3, run 1");
  }

  @Test
  void refusesTwoEventsThatGaveTheSameLsn() {
    Events events = new Events().recover(1);
    events.add(2, Kind.COMMIT_VERSION, 1L).add(3, Kind.COMMIT_VERSION, 1L);
    assertThatThrownBy(() -> LinearExtension.of(events.closed()))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("two events made the tip's LSN 1");
  }

  @Test
  void refusesAReadOfWhatNobodyMadeVisible() {
    Events events = new Events().recover(1).read(2, 1, "key", "value");
    assertThatThrownBy(() -> LinearExtension.of(events.closed()))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("no event made the visible LSN 1");
  }

  @Test
  void refusesAWakeUpOfAThreadThatDoesNotWait() {
    Events events = new Events().recover(1).add(2, Kind.WAKE_SERVED, 3L, 1L);
    assertThatThrownBy(() -> LinearExtension.of(events.closed()))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("nobody waits so");
  }

  private static List<String> actions(Trace.Run run, Kind... kinds) throws TraceProblem {
    List<Kind> wanted = List.of(kinds);
    return LinearExtension.of(run).stream()
        .filter(event -> wanted.contains(event.kind()))
        .map(
            event ->
                event.action() + (event.numbers().isEmpty() ? "" : " " + last(event.numbers())))
        .toList();
  }

  private static long last(List<Long> numbers) {
    return numbers.get(numbers.size() - 1);
  }
}
