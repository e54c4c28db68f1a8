package org.overlaytrie.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.overlaytrie.schedules.scenario.Stores;

/**
 * Each twin is the store with one step of the commit protocol taken out of its source. A scenario
 * of {@link CommitScheduleTest} must notice, within the bounds used there.
 */
class BrokenCommitScheduleTest {
  private static final String FLUSH = "org.overlaytrie.commit.CombiningFlush";
  private static final String COMMIT = "org.overlaytrie.commit.SequencedCommit";
  private static final String SLEEPS = "lost wake-up";
  private static final String TOLD = "was told 1=a, but the disk holds {}";

  static Stream<Arguments> twins() {
    return Stream.of(
        arguments(
            "the leader leaves without looking at the tip again",
            FLUSH,
            "return !again || tryLead() < 0;",
            "return true;",
            Stores.TwoWriters.class,
            SLEEPS),
        arguments(
            "the leader leaves without looking at the stack, where writers do not wait",
            FLUSH,
            "boolean somebodyWaits = !waiters.isEmpty();",
            "boolean somebodyWaits = false;",
            Stores.TwoSyncs.class,
            SLEEPS),
        arguments(
            "a sync returns at once",
            COMMIT,
            "await(requireOpen(versions.tip()).lsn());",
            "",
            Stores.TwoSyncs.class,
            TOLD),
        arguments(
            "a thread sleeps without looking again after it enqueued",
            FLUSH,
            "events.enqueue(waiter.lsn);",
            "events.enqueue(waiter.lsn); parking.park(this);",
            Stores.TwoWriters.class,
            SLEEPS),
        arguments(
            "a thread that wakes does not look whether it was served or promoted",
            FLUSH,
            "if (waiter.state() != Waiter.State.WAITING) {",
            "if (waiter.thread == null) {",
            Stores.ThreeWriters.class,
            SLEEPS),
        arguments(
            "the leader leaves without noticing that the tip was closed",
            FLUSH,
            "return tip.settledLsn() > versions.visible().settledLsn();",
            "return tip.lsn() > versions.visible().lsn();",
            Stores.WritersAndCloser.class,
            SLEEPS),
        arguments(
            "a failing leader lets nobody go",
            FLUSH,
            "finally {\n        drain();",
            "finally {",
            Stores.FailingForce.class,
            SLEEPS),
        arguments(
            "the version is visible though nothing was forced",
            FLUSH,
            "log.force();",
            "",
            Stores.TwoWriters.class,
            TOLD),
        arguments(
            "a write is answered at once",
            COMMIT,
            "flush.awaitSettled(done.version.lsn());",
            "",
            Stores.TwoWriters.class,
            TOLD),
        arguments(
            "an operation that changes nothing is answered at once",
            COMMIT,
            "return answer(done);",
            "return done.changed ? answer(done) : done.previous;",
            Stores.WriterObserverReader.class,
            TOLD),
        arguments(
            "a reader looks at the tip",
            COMMIT,
            "byte[] result = version.trie().get(key);",
            "byte[] result = versions.tip().trie().get(key);",
            Stores.WriterObserverReader.class,
            TOLD),
        arguments(
            "a write that the failed store has lost is answered",
            COMMIT,
            "if (failure != null && visible.lsn() < lsn) {",
            "if (failure != null && lsn == Long.MAX_VALUE) {",
            Stores.FailingForce.class,
            "answered although no force succeeds"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("twins")
  void noticesThat(
      String what,
      String className,
      String right,
      String wrong,
      Class<? extends Scenario> type,
      String symptom)
      throws Exception {
    Scenario twin = CommitScheduleTest.load(type, Twin.compile(className, right, wrong));
    Explorer.Result result = new Explorer(2, 0).exploreAll(twin);
    assertThat(result.failure()).as(what).hasMessageContaining(symptom);
  }
}
