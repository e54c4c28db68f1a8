package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** A killed thread may have taken one step more than it recorded, if others saw its effect. */
class HiddenStepsTest {
  private static final Trace.Run NOTHING = new Trace.Run(2, List.of(), true);

  @Test
  void supposesACommitWhoseLsnOthersSawByOneOfThoseThatHadInvoked() {
    Events events =
        new Events().recover(1).put(2, "key", "a").put(3, "key", "b").put(4, "key", "c");
    events.add(4, Kind.COMMIT_VERSION, 2L);
    Trace.Run whole = complete(events);
    assertThat(added(whole)).containsExactly("CommitVersion[1] of thread -1");
    assertThat(HiddenSteps.candidates(whole, Kind.COMMIT_VERSION)).containsExactly(2L, 3L);
  }

  @Test
  void supposesNothingThatNobodySaw() {
    Events events = new Events().recover(1).put(2, "key", "a").put(4, "key", "c");
    events.add(4, Kind.COMMIT_VERSION, 1L).add(4, Kind.BECOME_LEADER, 1L).flush(4, 1, 1);
    events.add(4, Kind.DRAIN_WAITERS);
    assertThat(added(complete(events))).isEmpty();
  }

  @Test
  void supposesNothingInARunThatWasClosed() {
    Events events = new Events().recover(1).put(2, "key", "a").put(4, "key", "c");
    events.add(4, Kind.COMMIT_VERSION, 2L);
    assertThat(HiddenSteps.complete(events.closed(), 0, NOTHING)).isEqualTo(events.closed());
  }

  @Test
  void supposesNoCommitOfAThreadThatWasElsewhere() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.OBSERVE_NO_OP, 0L);
    events.put(4, "key", "c").add(4, Kind.COMMIT_VERSION, 2L);
    assertThat(added(complete(events))).isEmpty();
  }

  @Test
  void supposesThatTheLeaderMadeVisibleWhatWasRead() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).add(2, Kind.COLLECT_BATCH, 1L);
    events.add(2, Kind.WRITE_FRAME, 1L, 1L, 1L).add(2, Kind.FORCE_LOG, 1L).read(3, 1, "key", "a");
    assertThat(added(complete(events))).containsExactly("MakeVisible[1] of thread 2");
  }

  @Test
  void supposesThatTheTipWasClosedThatWasSeenSoByOthers() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.put(3, "key", "b").add(3, Kind.REFUSE_CLOSED);
    assertThat(added(complete(events))).containsExactly("CloseTip[1] of thread -2");
  }

  @Test
  void supposesThatTheLeaderMadeTheClosedVersionVisibleWhereTheLogWasClosed() {
    Events events = new Events().recover(1).add(2, Kind.BECOME_LEADER, 1L);
    events.add(2, Kind.COLLECT_BATCH, ProtocolEvents.NEVER);
    events.add(3, Kind.CLOSE_TIP, 0L).add(3, Kind.WRITE_CLOSE, 0L);
    assertThat(added(complete(events)))
        .containsExactly("MakeVisible[9223372036854775807] of thread 2");
  }

  @Test
  void supposesTheReleaseBeforeTheLeadershipOfAnother() {
    Events events = new Events().recover(1).add(2, Kind.BECOME_LEADER, 1L);
    events.add(2, Kind.COLLECT_BATCH, 0L).add(2, Kind.DRAIN_WAITERS).add(3, Kind.BECOME_LEADER, 3L);
    assertThat(added(complete(events))).containsExactly("ReleaseLeadership[2] of thread 2");
  }

  @Test
  void supposesTheLeaderWhoseTermAnotherSaw() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.put(3, "key", "b").add(3, Kind.COMMIT_VERSION, 2L).add(3, Kind.ENQUEUE, 2L);
    events.add(3, Kind.RECHECK_VISIBLE, 0L).add(3, Kind.PARK, 1L);
    Trace.Run whole = complete(events);
    assertThat(added(whole)).containsExactly("BecomeLeader[1] of thread -1");
    assertThat(HiddenSteps.candidates(whole, Kind.BECOME_LEADER)).containsExactly(2L);
  }

  @Test
  void leavesOutTheLastSleepUnderATermThatCannotBeKnown() {
    Events events = new Events().recover(1).add(2, Kind.BECOME_LEADER, 1L);
    events.add(3, Kind.ENQUEUE, 2L).add(3, Kind.RECHECK_VISIBLE, 0L).add(3, Kind.PARK, 3L);
    Trace.Run whole = complete(events);
    assertThat(added(whole)).isEmpty();
    assertThat(whole.events(Kind.PARK)).isEmpty();
  }

  @Test
  void supposesTheEntryThatWasFoundOnTheStack() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(3, Kind.BECOME_LEADER, 1L).flush(3, 1, 1).add(3, Kind.DRAIN_WAITERS, 2L, 1L);
    assertThat(added(complete(events))).containsExactly("Enqueue[1] of thread 2");
  }

  @Test
  void supposesTheFrameThatTheNextRecoveryRead() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).add(2, Kind.COLLECT_BATCH, 1L);
    Trace.Run next = new Events().add(1, Kind.READ_LOG, 1L).closed();
    assertThat(added(HiddenSteps.complete(events.killed(), 0, next)))
        .containsExactly("WriteFrame[1, 1, 1] of thread 2");
  }

  @Test
  void supposesTheFrameWhoseWritingFailed() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).add(2, Kind.COLLECT_BATCH, 1L).add(2, Kind.FAIL_STORE);
    Trace.Run next = new Events().add(1, Kind.READ_LOG, 1L).closed();
    Trace.Run whole = HiddenSteps.complete(events.closed(), 0, next);
    assertThat(whole.threads().get(1))
        .extracting(TraceEvent::kind)
        .endsWith(Kind.COLLECT_BATCH, Kind.WRITE_FRAME, Kind.FAIL_STORE);
  }

  @Test
  void supposesTheIncarnationThatTheNextRecoverySkipped() {
    Events events = new Events().add(1, Kind.READ_LOG, 0L);
    Trace.Run next =
        new Events().add(1, Kind.READ_LOG, 0L).add(1, Kind.OPEN_INCARNATION, 5L).closed();
    assertThat(added(HiddenSteps.complete(events.killed(), 3, next)))
        .containsExactly("OpenIncarnation[4] of thread 1");
    assertThat(added(HiddenSteps.complete(events.killed(), 4, next))).isEmpty();
  }

  @Test
  void supposesTheFailureThatOthersWereToldOf() {
    Events events = new Events().recover(1).put(2, "key", "a").add(2, Kind.COMMIT_VERSION, 1L);
    events.add(2, Kind.BECOME_LEADER, 1L).add(2, Kind.COLLECT_BATCH, 1L);
    events.put(3, "key", "b").add(3, Kind.ANSWER_FAILURE);
    assertThat(added(complete(events))).containsExactly("FailStore[] of thread 2");
  }

  private static Trace.Run complete(Events events) {
    return HiddenSteps.complete(events.killed(), 0, NOTHING);
  }

  private static List<String> added(Trace.Run run) {
    return run.threads().stream()
        .flatMap(List::stream)
        .filter(event -> event.number() == 0)
        .map(event -> event.action() + event.numbers() + " of thread " + event.thread())
        .toList();
  }
}
