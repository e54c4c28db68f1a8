package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.conformance.crash.Recoveries.Recovered;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.Invariants;
import org.overlaytrie.spec.Observations;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Recoverable;
import org.overlaytrie.wal.LogRecord;

/**
 * What a crash takes under each durability: a crash at every operation of the disk and after every
 * call, every surviving subset, a second crash during recovery. What recovery finds must be the
 * content after some change, in the order of the commits, and after none that was promised not to
 * be taken: one that an answered sync or a completed stage covers, or with SYNC and GROUP one that
 * any call depended on. Where writers do not wait, some crash must take an answered write: if none
 * does, this test sees nothing.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({"BufferedCommit!SyncedIsDurableInv", "BufferedCommit!RefinesBufferedDurableMapProp"})
class DurabilityCrashTest {
  /** What this thread asked for last, and the LSN that the answer depends on. */
  private static final ThreadLocal<Request> REQUEST = new ThreadLocal<>();

  private static final ThreadLocal<Long> DEPENDS_ON = ThreadLocal.withInitial(() -> 0L);

  private static final Durability GROUP = Durability.group(Duration.ofMillis(1));
  private static final Durability PERIODIC = Durability.periodic(Duration.ofDays(1));

  private final Recoveries recoveries = new Recoveries(Programs.TINY);

  static List<Durability> all() {
    return List.of(Durability.SYNC, GROUP, PERIODIC, Durability.NONE);
  }

  static List<Durability> thatDoNotWait() {
    return List.of(PERIODIC, Durability.NONE);
  }

  /** One open of a store, and every moment at which its machine may stop. */
  private final class Life implements ProtocolEvents {
    private record Point(SimulatedStorage disk, long promised, long answered) {}

    private final Durability durability;
    private final Turns turns;
    private final Observations observations = new Observations();
    private final CommitOrder order = new CommitOrder(Map.of(), 0);
    private final AtomicLong promised = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final List<Point> points = Collections.synchronizedList(new ArrayList<>());
    private final SimulatedStorage disk;
    private final OverlayTrie<String, String> store;

    Life(Durability durability, Turns turns) throws IOException {
      this.durability = durability;
      this.turns = turns;
      this.disk = new SimulatedStorage().kill(this::before);
      this.store =
          StoreSeam.open(
              disk,
              Codecs.string(),
              Codecs.string(),
              Programs.TINY.withDurability(durability),
              this,
              turns == null ? Parking.LOCK_SUPPORT : turns);
    }

    private Fault before(Operation operation) {
      step();
      if (operation.kind().changesDisk()) {
        notePoint();
      }
      return null;
    }

    private void step() {
      if (turns != null) {
        turns.step();
      }
    }

    private void notePoint() {
      long promisedByNow = promised.get();
      points.add(new Point(disk.kill(), promisedByNow, answered.get()));
    }

    /** Makes the request; what it answers may be all that anybody depends on when it returns. */
    void call(Request asked) {
      REQUEST.set(asked);
      DEPENDS_ON.set(0L);
      Object unused = asked.on(store);
      answered.accumulateAndGet(DEPENDS_ON.get(), Math::max);
      if (durability.waits()) {
        promised.accumulateAndGet(DEPENDS_ON.get(), Math::max);
      }
      notePoint();
    }

    void sync() {
      long before = order.lastLsn();
      store.sync();
      promised.accumulateAndGet(before, Math::max);
      notePoint();
    }

    /** Puts without waiting; what a completed stage stands for is promised. */
    CompletableFuture<Void> putLater(String key, String value) {
      REQUEST.set(Request.put(key, value));
      CompletableFuture<String> stage = store.putAsync(key, value).toCompletableFuture();
      long lsn = DEPENDS_ON.get();
      return stage.thenAccept(
          previous -> {
            if (durability.waits()) {
              promised.accumulateAndGet(lsn, Math::max);
            }
          });
    }

    CompletableFuture<Void> syncLater() {
      long before = order.lastLsn();
      return store
          .syncAsync()
          .thenAccept(none -> promised.accumulateAndGet(before, Math::max))
          .toCompletableFuture();
    }

    /** Crashes at every point in every way; how often a crash took what had been answered. */
    long check() {
      notePoint();
      long taken = 0;
      for (Point point : List.copyOf(points)) {
        for (Recovered found : recoveries.afterCrashOf(point.disk()).found()) {
          assertThat(found.lsn()).as("the promised LSN").isGreaterThanOrEqualTo(point.promised());
          assertThat(found.content())
              .as("the content after LSN %d", found.lsn())
              .isEqualTo(order.contentAt(found.lsn()));
          taken += found.lsn() < point.answered() ? 1 : 0;
        }
      }
      return taken;
    }

    /** The runnable checks, on what a power failure would leave now. */
    void checkInvariants() throws IOException {
      Recoverable found = StoreSeam.recoverable(disk.crash(index -> false));
      Invariants.visibleIsDurableInv(StoreSeam.visible(store), found);
      Invariants.commitOrderIsLogOrderInv(observations, found);
      Invariants.noInventedWriteInv(observations, found);
      Invariants.syncedIsDurableInv(observations, found);
      Invariants.completedIsVisibleInv(observations, StoreSeam.visible(store));
    }

    @Override
    public void invoke(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
      observations.invoke(kind, key, expected, value);
    }

    @Override
    public void invokeBatch(LogRecord batch) {
      observations.invokeBatch(batch);
    }

    @Override
    public void commitVersion(long lsn) {
      observations.commitVersion(lsn);
      order.commit(lsn, REQUEST.get());
      DEPENDS_ON.set(lsn);
      step();
    }

    @Override
    public void observeNoOp(long lsn) {
      observations.observeNoOp(lsn);
      DEPENDS_ON.set(lsn);
      step();
    }

    @Override
    public void requestSync(long lsn) {
      observations.requestSync(lsn);
      step();
    }

    @Override
    public void leaveStage(long stage) {
      observations.leaveStage(stage);
    }

    @Override
    public void completeStage(long stage, byte[] previous) {
      observations.completeStage(stage, previous);
    }

    @Override
    public void readVisible(long lsn, byte[] key, byte[] result) {
      observations.readVisible(lsn, key, result);
      DEPENDS_ON.set(lsn);
    }

    @Override
    public void readTip(long lsn, byte[] key, byte[] result) {
      DEPENDS_ON.set(lsn);
    }

    @Override
    public void answer(byte[] previous) {
      observations.answer(previous);
      step();
    }

    @Override
    public void answerUnforced(byte[] previous) {
      step();
    }

    @Override
    public void makeVisible(long lsn) {
      observations.makeVisible(lsn);
      step();
    }

    @Override
    public void becomeLeader(long term) {
      step();
    }

    @Override
    public void enqueue(long lsn) {
      step();
    }

    @Override
    public void recheckVisible(long visibleLsn) {
      step();
    }

    @Override
    public void collectBatch(long endLsn) {
      step();
    }

    @Override
    public void drainWaiters(long[] waiters, long[] lsns) {
      step();
    }

    @Override
    public void handOver(long waiter, long lsn, long term) {
      step();
    }

    @Override
    public void releaseLeadership(long term) {
      step();
    }

    @Override
    public void recheckTip(long tipLsn) {
      step();
    }

    @Override
    public void recheckStack(boolean somebodyWaits) {
      step();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void oneThreadThatSyncsNowAndThen(Durability durability) throws IOException {
    Life life = new Life(durability, null);
    life.call(Request.put("a", "1"));
    life.call(Request.batch("a", "b", "2"));
    life.call(Request.remove("b"));
    life.sync();
    life.checkInvariants();
    life.call(Request.put("b", "3"));
    life.call(Request.get("b"));
    life.call(Request.put("c", "4" + "-".repeat(1500)));
    life.call(Request.remove("never there"));
    life.call(Request.removeFrom("b"));
    life.sync();
    life.call(Request.put("a", "5" + "-".repeat(1500)));
    life.call(Request.batch("a", "c", "6" + "-".repeat(500)));
    life.call(Request.put("b", "7"));
    life.checkInvariants();
    life.store.close();
    life.promised.set(life.order.lastLsn());
    long taken = life.check();
    assertThat(taken > 0).as("a crash takes what was answered").isEqualTo(!durability.waits());
    assertThat(recoveries.mostSegments()).isGreaterThan(1);
  }

  @ParameterizedTest
  @MethodSource("all")
  @Checks("AsyncCommit!CompletedIsVisibleInv")
  void stagesThatAreCompleteStayComplete(Durability durability) throws IOException {
    Life life = new Life(durability, null);
    List<CompletableFuture<Void>> stages = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        stages.add(life.putLater("k" + i, round + "-".repeat(200)));
      }
      stages.add(life.syncLater());
      stages.get(stages.size() - 1 - round).join();
    }
    stages.forEach(CompletableFuture::join);
    assertThat(life.promised).hasValue(12);
    life.checkInvariants();
    life.store.close();
    long unused = life.check();
  }

  @ParameterizedTest
  @MethodSource("thatDoNotWait")
  void twoThreadsUnderEveryScheduleOfFewPreemptions(Durability durability, TestReporter reporter)
      throws IOException {
    Exploration schedules = new Exploration(durability.equals(Durability.NONE) ? 2 : 1);
    LongAdder executions = new LongAdder();
    long points = 0;
    long taken = 0;
    do {
      Life life = new Life(durability, new Turns(schedules));
      life.turns.run(
          List.of(
              () -> {
                life.call(Request.put("a", "1"));
                life.sync();
                life.call(Request.get("b"));
                life.call(Request.put("a", "2"));
              },
              () -> {
                life.call(Request.batch("a", "b", "3"));
                life.sync();
                life.call(Request.remove("a"));
              }));
      life.checkInvariants();
      taken += life.check();
      points += life.points.size();
      executions.increment();
    } while (schedules.next());
    reporter.publishEntry(
        Map.of("exhaustivePoints", Long.toString(points), "executions", executions.toString()));
    assertThat(taken).as("crashes that take what was answered").isPositive();
  }

  @Test
  @Checks("BufferedCommit!UnforcedIsBoundedInv")
  void whatACrashTakesIsBounded() throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    OverlayTrie<String, String> store =
        StoreSeam.open(
            disk,
            Codecs.string(),
            Codecs.string(),
            Programs.TINY.withWalSegmentBytes(1 << 20).withDurability(Durability.NONE),
            ProtocolEvents.NONE);
    for (int i = 0; i < 20_000; i++) {
      store.put("k" + i, "v");
    }
    try (OverlayTrie<String, String> left =
        StoreSeam.open(
            disk.crash(index -> false),
            Codecs.string(),
            Codecs.string(),
            Programs.TINY,
            ProtocolEvents.NONE)) {
      assertThat(left.size()).isBetween(20_000 - (1 << 13), 19_999);
      for (int i = 0; i < left.size(); i++) {
        assertThat(left.get("k" + i)).as("write %d of %d", i, left.size()).isEqualTo("v");
      }
    }
  }
}
