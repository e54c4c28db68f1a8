package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.wal.MemoryStorage;

/** When checkpoints are made, what they leave of the log, and what becomes of their failures. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointTest {
  private static final int SEGMENT = 4_096;
  private static final Options MANUAL =
      Options.defaults()
          .withWalSegmentBytes(SEGMENT)
          .withImageSegmentBytes(1 << 16)
          .withCheckpoints(CheckpointPolicy.manual());

  private final TroubledStorage storage = new TroubledStorage(new MemoryStorage());

  /** Counts what the protocol does; its latches let a test wait for a step. */
  private static final class Steps implements ProtocolEvents {
    private final AtomicInteger captures = new AtomicInteger();
    private final AtomicInteger deletions = new AtomicInteger();
    private volatile long capturedLsn;
    private volatile CountDownLatch captured = new CountDownLatch(1);
    private volatile CountDownLatch published = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch storeFailed = new CountDownLatch(1);

    @Override
    public void captureVersion(long lsn) {
      capturedLsn = lsn;
      captures.incrementAndGet();
      captured.countDown();
    }

    @Override
    public void forceClaim(long generation, long lsn) {
      if (captures.get() > 0) {
        published.countDown();
      }
    }

    @Override
    public void failCheckpoint() {
      failed.countDown();
    }

    @Override
    public void failStore() {
      storeFailed.countDown();
    }

    @Override
    public void deleteSegment(int number) {
      deletions.incrementAndGet();
    }
  }

  private OverlayTrie<String, String> open(Options options) {
    return open(options, ProtocolEvents.NONE);
  }

  private OverlayTrie<String, String> open(Options options, ProtocolEvents events) {
    return open(options, events, Parking.LOCK_SUPPORT);
  }

  private OverlayTrie<String, String> open(
      Options options, ProtocolEvents events, Parking parking) {
    try {
      return OverlayTrie.open(storage, Codecs.string(), Codecs.string(), options, events, parking);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fill(OverlayTrie<String, String> store, int from, int to) {
    for (int i = from; i < to; i++) {
      store.put("key " + i, "value " + i);
    }
  }

  private static Map<String, String> filled(int to) {
    Map<String, String> expected = new TreeMap<>();
    for (int i = 0; i < to; i++) {
      expected.put("key " + i, "value " + i);
    }
    return expected;
  }

  @Test
  void reopensWithImageAndLogTogetherAndGivesTheLogBack() {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 500);
    long before = store.checkpointStatus().logBytes();
    store.checkpoint();
    CheckpointStatus status = store.checkpointStatus();
    assertThat(status.checkpointLsn()).isEqualTo(500);
    assertThat(status.completed()).isEqualTo(1);
    assertThat(status.running()).isFalse();
    assertThat(status.writtenBytes()).isPositive();
    assertThat(status.logBytes()).isLessThan(before).isEqualTo(SEGMENT);
    fill(store, 500, 510);
    store.remove("key 7");
    store.put("key 8", "changed");
    Map<String, String> expected = filled(510);
    expected.remove("key 7");
    expected.put("key 8", "changed");
    for (int life = 0; life < 4; life++) { // twice killed, twice closed
      OverlayTrie<String, String> again = open(MANUAL);
      assertThat(again).containsExactlyEntriesOf(expected).hasSize(expected.size());
      assertThat(again.checkpointStatus().checkpointLsn()).isEqualTo(500);
      if (life >= 2) {
        again.close();
      }
    }
  }

  @Test
  void aCheckpointOfAnUnchangedStoreWritesNothing() {
    OverlayTrie<String, String> store = open(MANUAL);
    store.checkpoint();
    assertThat(store.checkpointStatus().completed()).as("of an empty store").isZero();
    fill(store, 0, 100);
    store.checkpoint();
    long written = storage.writtenBytes();
    store.checkpoint();
    store.putIfAbsent("key 1", "value 1");
    assertThat(storage.writtenBytes()).isEqualTo(written);
    store.close();
    store = open(MANUAL);
    written = storage.writtenBytes();
    store.checkpoint();
    assertThat(storage.writtenBytes()).as("nor of one that was opened again").isEqualTo(written);
  }

  @Test
  void aCheckpointWritesWhatHasChangedAndNoMore() {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 5_000);
    store.checkpoint();
    long whole = store.checkpointStatus().writtenBytes();
    store.put("key 77", "changed");
    store.checkpoint();
    assertThat(store.checkpointStatus().writtenBytes()).isLessThan(whole / 20);
    store.close();
    assertThat(open(MANUAL).get("key 77")).isEqualTo("changed");
  }

  @Test
  void anEmptiedStoreHasAnEmptyImage() {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 100);
    store.checkpoint();
    store.clear();
    store.checkpoint();
    store.close();
    assertThat(open(MANUAL)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void triggersBeginOneInTheStoresThread(boolean bytes) throws InterruptedException {
    CheckpointPolicy policy = CheckpointPolicy.manual();
    policy = bytes ? policy.withBytes(10 * 22) : policy.withChanges(10);
    Steps steps = new Steps();
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps);
    fill(store, 0, 10);
    assertThat(steps.captures).hasValue(0);
    fill(store, 10, 12); // each write looks at what was written before it
    steps.published.await();
    assertThat(steps.captures.get()).isPositive();
    store.close();
    assertThat(open(MANUAL).checkpointStatus().checkpointLsn()).isGreaterThanOrEqualTo(10);
  }

  @Test
  @Checks("CheckpointTriggers!RecoveryWithinBoundInv")
  void whatRecoveryReplayedCountsAsWrittenSinceTheLastCheckpoint() throws InterruptedException {
    CheckpointPolicy policy = CheckpointPolicy.manual().withBytes(100 * 20);
    OverlayTrie<String, String> killed = open(MANUAL.withCheckpoints(policy));
    fill(killed, 0, 60);
    Steps steps = new Steps();
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps);
    fill(store, 60, 120);
    assertThat(steps.published.await(30, TimeUnit.SECONDS)).as("a checkpoint was made").isTrue();
    store.close();
  }

  @Test
  void theIntervalBeginsOneIfThereWasAnyChange() throws InterruptedException {
    StoppedClock clock = new StoppedClock();
    Steps steps = new Steps();
    Duration interval = Duration.ofMinutes(5);
    CheckpointPolicy policy = CheckpointPolicy.manual().withInterval(interval);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps, clock);
    store.put("key", "value");
    clock.tick(interval.minusSeconds(1));
    clock.tick(Duration.ofSeconds(1));
    steps.published.await();
    assertThat(steps.captures).hasValue(1);
    clock.tick(interval);
    clock.tick(interval);
    assertThat(steps.captures).as("nothing was changed since").hasValue(1);
    store.close();
  }

  @Test
  @Checks("CheckpointedCommit!ImageAndLogAgreeInv")
  void aCheckpointHoldsNothingThatIsNotDurable() throws InterruptedException {
    StoppedClock clock = new StoppedClock();
    Steps steps = new Steps();
    Duration interval = Duration.ofMinutes(5);
    CheckpointPolicy policy = CheckpointPolicy.manual().withInterval(interval);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps, clock);
    store.put("durable", "1");
    CountDownLatch flushing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    storage.trouble(
        name -> {
          if (name.startsWith("wal")) {
            flushing.countDown();
            await(goOn);
          }
        });
    Thread writer = new Thread(() -> store.put("not yet", "1"));
    writer.start();
    flushing.await();
    clock.tick(interval);
    steps.captured.await();
    assertThat(steps.capturedLsn).isEqualTo(1);
    goOn.countDown();
    writer.join();
    store.close();
  }

  @Test
  @Checks("CheckpointTriggers!CalledIsDurableInv")
  void aSecondCallerWaitsForOneThatHoldsWhatItHasWritten() throws Exception {
    Steps steps = new Steps();
    OverlayTrie<String, String> store = open(MANUAL, steps);
    fill(store, 0, 100);
    CountDownLatch goOn = new CountDownLatch(1);
    storage.trouble(name -> awaitIfImage(name, goOn));
    CompletableFuture<Void> first = CompletableFuture.runAsync(store::checkpoint);
    steps.captured.await();
    CompletableFuture<Void> joins = CompletableFuture.runAsync(store::checkpoint);
    store.put("later", "1"); // writers go on meanwhile
    CompletableFuture<Void> needsAnother = CompletableFuture.runAsync(store::checkpoint);
    assertThat(store.checkpointStatus().running()).isTrue();
    goOn.countDown();
    first.get();
    joins.get();
    needsAnother.get();
    assertThat(store.checkpointStatus().checkpointLsn()).isEqualTo(101);
    assertThat(steps.captures.get()).isBetween(2, 3); // the second may have come too late to join
    store.close();
  }

  private static void awaitIfImage(String name, CountDownLatch latch) throws IOException {
    if (name.startsWith("image")) {
      await(latch);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aFailedCheckpointLeavesEverythingAsItWasAndTheNextOneSucceeds() {
    for (String file : new String[] {"image", "superblock"}) {
      OverlayTrie<String, String> store = open(MANUAL);
      store.put(file, "1");
      long lsn = store.checkpointStatus().checkpointLsn();
      storage.full(file);
      assertThatThrownBy(store::checkpoint)
          .isInstanceOf(CheckpointFailedException.class)
          .hasMessageContaining("no space left on device");
      assertThat(store.checkpointStatus().failed()).isEqualTo(1);
      assertThat(store.checkpointStatus().lastFailure()).hasMessageContaining(file);
      assertThat(store.checkpointStatus().checkpointLsn()).isEqualTo(lsn);
      store.put(file, "2");
      assertThat(store.get(file)).isEqualTo("2");
      storage.trouble(name -> {});
      assertThat(open(MANUAL).get(file)).as("of a killed one").isEqualTo("2");
      store = open(MANUAL);
      store.checkpoint();
      store.put(file, "3");
      store.checkpoint();
      assertThat(store.checkpointStatus().lastFailure()).isNull();
      store.close();
      assertThat(open(MANUAL).get(file)).isEqualTo("3");
    }
  }

  @Test
  @Checks("CheckpointTriggers!LogWithinBoundInv")
  void theLogStaysWithinItsLimitHoweverManyWrite() throws InterruptedException {
    CheckpointPolicy policy = CheckpointPolicy.manual().withLogLimitBytes(4 * SEGMENT);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy));
    Thread[] writers = new Thread[4];
    AtomicInteger most = new AtomicInteger();
    for (int i = 0; i < writers.length; i++) {
      int first = i * 400;
      writers[i] =
          new Thread(
              () -> {
                for (int n = first; n < first + 400; n++) {
                  fill(store, n, n + 1);
                  most.accumulateAndGet((int) store.checkpointStatus().logBytes(), Math::max);
                }
              });
      writers[i].start();
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(most.get()).isLessThanOrEqualTo(5 * SEGMENT).isGreaterThan(2 * SEGMENT);
    assertThat(store.checkpointStatus().completed()).isPositive();
    store.close();
    assertThat(open(MANUAL)).containsExactlyInAnyOrderEntriesOf(filled(1_600));
  }

  @Test
  @Checks("CheckpointTriggers!LogWithinBoundInv")
  void aWriterAtTheLimitWaitsForTheCheckpoint() throws InterruptedException {
    Steps steps = new Steps();
    CheckpointPolicy policy = CheckpointPolicy.manual().withLogLimitBytes(2 * SEGMENT);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps);
    CountDownLatch goOn = new CountDownLatch(1);
    storage.trouble(name -> awaitIfImage(name, goOn));
    AtomicInteger written = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                fill(store, i, i + 1);
                written.set(i + 1);
              }
            });
    writer.start();
    steps.captured.await();
    while (writer.isAlive() && writer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(written.get()).as("before it had to wait").isBetween(50, 300);
    assertThat(store.checkpointStatus().logBytes()).isLessThanOrEqualTo(3 * SEGMENT);
    goOn.countDown();
    writer.join();
    assertThat(written.get()).isEqualTo(1_000);
    store.close();
  }

  @Test
  @Checks("CheckpointTriggers!SlowedWriterGoesOnProp")
  void atTheLimitAWriteIsRefusedAsLongAsCheckpointsFailAndThenGoesOn() {
    CheckpointPolicy policy = CheckpointPolicy.manual().withLogLimitBytes(2 * SEGMENT);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy));
    storage.full("image");
    int[] written = {0};
    assertThatThrownBy(
            () -> {
              while (true) {
                fill(store, written[0], written[0] + 1);
                written[0]++;
              }
            })
        .isInstanceOf(CheckpointFailedException.class)
        .hasMessageContaining("limit of 8192 bytes")
        .hasMessageContaining("no space left on device");
    assertThat(written[0]).isGreaterThan(50);
    assertThat(store).hasSize(written[0]);
    assertThatThrownBy(() -> store.remove("key 1")).isInstanceOf(CheckpointFailedException.class);
    assertThat(store.get("key 1")).isEqualTo("value 1");
    storage.trouble(name -> {});
    fill(store, written[0], written[0] + 100);
    assertThat(store.checkpointStatus().logBytes()).isLessThanOrEqualTo(3 * SEGMENT);
    store.close();
    assertThat(open(MANUAL)).containsExactlyInAnyOrderEntriesOf(filled(written[0] + 100));
  }

  @Test
  void whoeverWaitsAtTheLimitIsToldThatTheStoreHasFailed() throws InterruptedException {
    Steps steps = new Steps();
    CheckpointPolicy policy = CheckpointPolicy.manual().withLogLimitBytes(2 * SEGMENT);
    OverlayTrie<String, String> store = open(MANUAL.withCheckpoints(policy), steps);
    CountDownLatch goOn = new CountDownLatch(1);
    storage.trouble(
        name -> {
          if (name.startsWith("image")) {
            await(goOn);
            throw new OutOfMemoryError("simulated");
          }
        });
    Thread[] writers = new Thread[3];
    AtomicInteger refused = new AtomicInteger();
    for (int i = 0; i < writers.length; i++) {
      int first = 1_000 * i;
      writers[i] =
          new Thread(
              () -> {
                try {
                  fill(store, first, first + 1_000);
                } catch (StoreFailedException e) {
                  refused.incrementAndGet();
                }
              });
      writers[i].start();
    }
    steps.captured.await();
    for (Thread writer : writers) {
      while (writer.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    goOn.countDown();
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(refused).hasValue(writers.length);
    storage.trouble(name -> {});
    store.close();
  }

  @Test
  void failedCheckpointsTakeNoSpace() throws IOException {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 5_000);
    store.checkpoint();
    long files = imageFiles();
    fill(store, 5_000, 20_000);
    for (int attempt = 0; attempt < 3; attempt++) {
      AtomicInteger writes = new AtomicInteger();
      storage.trouble(
          name -> {
            if (name.startsWith("image") && writes.incrementAndGet() > 4) {
              throw new IOException(name + ": no space left on device");
            }
          });
      assertThatThrownBy(store::checkpoint).isInstanceOf(CheckpointFailedException.class);
      storage.trouble(name -> {});
      assertThat(imageFiles()).isEqualTo(files);
    }
    store.checkpoint();
    assertThat(imageFiles()).isGreaterThan(files);
    store.close();
    assertThat(open(MANUAL)).containsExactlyInAnyOrderEntriesOf(filled(20_000));
  }

  private long imageFiles() throws IOException {
    return storage.list().stream().filter(name -> name.startsWith("image")).count();
  }

  @Test
  void aSlotThatCouldNotBeWrittenIsWrittenByTheNextCheckpoint() {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 500);
    AtomicInteger writes = new AtomicInteger();
    storage.trouble(
        name -> {
          if (name.equals("superblock") && writes.incrementAndGet() > 2) {
            throw new IOException(name + ": input/output error");
          }
        });
    assertThatThrownBy(store::checkpoint).isInstanceOf(CheckpointFailedException.class);
    assertThat(store.checkpointStatus().checkpointLsn()).as("in one slot").isEqualTo(500);
    assertThat(store.checkpointStatus().logBytes()).isGreaterThan(SEGMENT);
    storage.trouble(name -> {});
    store.checkpoint();
    assertThat(store.checkpointStatus().logBytes()).as("in both").isEqualTo(SEGMENT);
    store.close();
  }

  @Test
  void whatIsNotUnderstoodFailsTheStore() throws InterruptedException {
    Steps steps = new Steps();
    OverlayTrie<String, String> store =
        open(MANUAL.withCheckpoints(CheckpointPolicy.manual().withChanges(3)), steps);
    storage.trouble(
        name -> {
          if (name.startsWith("image")) {
            throw new OutOfMemoryError("simulated");
          }
        });
    fill(store, 0, 3);
    store.putAsync("key 3", "value 3");
    steps.storeFailed.await();
    assertThatThrownBy(() -> store.put("key", "value"))
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("OutOfMemoryError");
    assertThatThrownBy(store::checkpoint).isInstanceOf(StoreFailedException.class);
    assertThat(store.get("key 2")).isEqualTo("value 2");
    storage.trouble(name -> {});
    store.close();
    assertThat(open(MANUAL)).containsEntry("key 2", "value 2");
  }

  @Test
  void closingGivesUpACheckpointThatIsBeingMade() throws InterruptedException {
    Steps steps = new Steps();
    OverlayTrie<String, String> store = open(MANUAL, steps);
    fill(store, 0, 300);
    CountDownLatch goOn = new CountDownLatch(1);
    storage.trouble(name -> awaitIfImage(name, goOn));
    Thread checkpointing =
        new Thread(
            () -> assertThatThrownBy(store::checkpoint).isInstanceOf(IllegalStateException.class));
    checkpointing.start();
    steps.captured.await();
    Thread closing = new Thread(store::close);
    closing.start();
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    closing.join();
    checkpointing.join();
    storage.trouble(name -> {});
    assertThat(open(MANUAL)).containsExactlyInAnyOrderEntriesOf(filled(300));
  }

  @Test
  void withWritesThatDoNotWaitACheckpointHoldsAllThatHadReturned() {
    OverlayTrie<String, String> store = open(MANUAL.withDurability(Durability.NONE));
    fill(store, 0, 50);
    store.checkpoint();
    assertThat(store.checkpointStatus().checkpointLsn()).isEqualTo(50);
    assertThat(open(MANUAL)).containsExactlyInAnyOrderEntriesOf(filled(50));
  }

  @Test
  void snapshotsAndIteratorsOutliveCheckpoints() {
    OverlayTrie<String, String> store = open(MANUAL);
    fill(store, 0, 1_000);
    store.checkpoint();
    store.close();
    OverlayTrie<String, String> again = open(MANUAL);
    Snapshot<String, String> before = again.snapshot();
    var iterator = again.entrySet().iterator();
    again.removePrefix("key 1");
    again.checkpoint();
    fill(again, 0, 1_000);
    again.checkpoint();
    assertThat(before).containsExactlyInAnyOrderEntriesOf(filled(1_000));
    int seen = 0;
    while (iterator.hasNext()) {
      iterator.next();
      seen++;
    }
    assertThat(seen).isEqualTo(1_000);
    assertThat(again.snapshot().diff(before)).isEmpty();
    again.close();
  }

  @Test
  void refusesCheckpointsOnceClosed() {
    OverlayTrie<String, String> store = open(MANUAL);
    store.close();
    assertThatThrownBy(store::checkpoint).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesPoliciesThatMakeNoSense() {
    CheckpointPolicy policy = CheckpointPolicy.defaults();
    assertThatThrownBy(() -> policy.withBytes(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes");
    assertThatThrownBy(() -> policy.withChanges(-1)).hasMessageContaining("changes");
    assertThatThrownBy(() -> policy.withInterval(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
    assertThatThrownBy(() -> Options.defaults().withCheckpoints(policy.withLogLimitBytes(1 << 20)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("33,554,432");
    assertThatThrownBy(() -> Options.defaults().withImageSegmentBytes(1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("imageSegmentBytes");
  }
}
