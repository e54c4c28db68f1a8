package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.wal.MemoryStorage;

/** What each durability forces, and when; what a crash takes is in the crash tests. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurabilityTest {

  private static final class Forces implements ProtocolEvents {
    private final AtomicLong count = new AtomicLong();
    private final Semaphore failures = new Semaphore(0);

    @Override
    public void forceLog(long lastLsn) {
      count.incrementAndGet();
    }

    @Override
    public void failStore() {
      failures.release();
    }
  }

  private final Forces forces = new Forces();
  private final MemoryStorage storage = new MemoryStorage();

  private OverlayTrie<String, String> open(Durability durability, Parking parking) {
    try {
      Options options = Options.defaults().withDurability(durability).withWalSegmentBytes(1 << 20);
      return OverlayTrie.open(storage, Codecs.string(), Codecs.string(), options, forces, parking);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long unforced(OverlayTrie<?, ?> store) {
    return store.commit().tip().lsn() - store.commit().visible().lsn();
  }

  static Stream<Durability> all() {
    return Stream.of(
        Durability.SYNC,
        Durability.group(Duration.ofMillis(1)),
        Durability.periodic(Duration.ofDays(1)),
        Durability.NONE);
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyKindOfReadSeesEveryKindOfWrite(Durability durability) {
    try (OverlayTrie<String, String> store = open(durability, Parking.LOCK_SUPPORT)) {
      assertThat(store.put("a", "1")).isNull();
      assertThat(store.get("a")).isEqualTo("1");
      store.writeBatch(batch -> batch.put("b", "2"));
      store.merge("b", "3", String::concat);
      try (Transaction<String, String> transaction = store.beginValidated()) {
        transaction.put("c", transaction.get("b") + "!");
        transaction.commit();
      }
      try (Snapshot<String, String> snapshot = store.snapshot()) {
        assertThat(snapshot.lsn()).isEqualTo(4);
        assertThat(snapshot).isEqualTo(Map.of("a", "1", "b", "23", "c", "23!"));
      }
      assertThat(store.headMap("b", true).lastEntry().getValue()).isEqualTo("23");
      assertThat(store.remove("a")).isEqualTo("1");
      assertThat(store.firstKey()).isEqualTo("b");
      assertThat(store.putIfAbsent("b", "9")).isEqualTo("23");
      store.sync();
      assertThat(unforced(store)).isZero();
    }
  }

  @Test
  void noneForcesForASyncAndForClosingAlone() {
    OverlayTrie<String, String> store = open(Durability.NONE, Parking.LOCK_SUPPORT);
    for (int i = 0; i < 100; i++) {
      store.put("k" + i, "v");
    }
    assertThat(forces.count).hasValue(0);
    assertThat(unforced(store)).isEqualTo(100);
    store.sync();
    assertThat(forces.count).hasValue(1);
    assertThat(unforced(store)).isZero();
    store.sync();
    assertThat(forces.count).as("nothing to make durable").hasValue(1);
    store.put("k", "v");
    store.close();
    assertThat(forces.count).as("the change, and the closing frame").hasValue(3);
  }

  @Test
  void whatIsNotDurableStaysBoundedInNumber() {
    try (OverlayTrie<String, String> store = open(Durability.NONE, Parking.LOCK_SUPPORT)) {
      for (int i = 0; i < 20_000; i++) {
        store.put("k" + i % 100, "v" + i);
        assertThat(unforced(store)).isLessThan(1 << 13);
      }
      assertThat(forces.count).hasValueBetween(2L, 3L);
    }
  }

  @Test
  void whatIsNotDurableStaysBoundedInBytes() {
    String value = "v".repeat(1 << 20);
    try (OverlayTrie<String, String> store = open(Durability.NONE, Parking.LOCK_SUPPORT)) {
      for (int i = 0; i < 20; i++) {
        store.put("k" + i % 3, value);
        assertThat(unforced(store)).isLessThan(4);
      }
    }
  }

  @Test
  void periodicForcesOnceAnIntervalIfThereIsSomethingToForce() throws InterruptedException {
    StoppedClock clock = new StoppedClock();
    Duration interval = Duration.ofSeconds(5);
    OverlayTrie<String, String> store = open(Durability.periodic(interval), clock);
    store.put("a", "1");
    store.put("b", "1");
    assertThat(forces.count).hasValue(0);
    clock.tick(interval);
    clock.pauses.acquireUninterruptibly(); // it sleeps again
    assertThat(forces.count).hasValue(1);
    assertThat(unforced(store)).isZero();
    clock.pauses.release();
    clock.tick(interval);
    clock.pauses.acquireUninterruptibly();
    assertThat(forces.count).as("there was nothing to force").hasValue(1);
    store.close();
    clock.sleeper.join();
  }

  @Test
  void periodicFailsTheStoreWhenTheDiskFailsAndTheNextWriteSaysSo() throws InterruptedException {
    StoppedClock clock = new StoppedClock();
    Duration interval = Duration.ofSeconds(5);
    OverlayTrie<String, String> store = open(Durability.periodic(interval), clock);
    store.put("a", "1");
    storage.failChanges();
    clock.tick(interval);
    forces.failures.acquireUninterruptibly();
    assertThatThrownBy(() -> store.put("b", "1")).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoreFailedException.class);
    assertThat(store.get("a")).as("reads go on").isEqualTo("1");
    clock.sleeper.join();
    requireLossToldByClose(store, 1);
  }

  @Test
  void closingSaysWhatItCouldNotMakeDurable() {
    OverlayTrie<String, String> store = open(Durability.NONE, Parking.LOCK_SUPPORT);
    store.put("a", "1");
    store.sync();
    store.put("a", "2");
    store.put("b", "2");
    storage.failChanges();
    requireLossToldByClose(store, 2);
  }

  private static void requireLossToldByClose(OverlayTrie<String, String> store, int changes) {
    assertThatThrownBy(store::close)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("before its last " + changes + " changes were durable");
    store.close(); // once is enough
    assertThatThrownBy(() -> store.get("a")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFailedStoreThatHasLostNothingClosesQuietly() {
    OverlayTrie<String, String> store = open(Durability.SYNC, Parking.LOCK_SUPPORT);
    storage.failChanges();
    assertThatThrownBy(() -> store.put("a", "1")).isInstanceOf(StoreFailedException.class);
    store.close();
  }

  @Test
  void groupDoesNotKeepALoneWriterWaiting() {
    StoppedClock clock = new StoppedClock();
    try (OverlayTrie<String, String> store = open(Durability.group(Duration.ofSeconds(1)), clock)) {
      for (int i = 0; i < 20; i++) {
        store.put("a", "" + i);
      }
    }
    assertThat(clock.sleeper).isNull();
    assertThat(forces.count).hasValue(21);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aClosedStoreRefusesEverything(Durability durability) {
    OverlayTrie<String, String> store = open(durability, Parking.LOCK_SUPPORT);
    store.put("a", "1");
    store.close();
    assertThatThrownBy(() -> store.get("a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.put("a", "2")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(store::sync).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(store::syncAsync).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.putAsync("a", "2")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theDelaysAreChecked() {
    assertThatThrownBy(() -> Durability.group(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Durability.group(Duration.ofSeconds(2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Durability.periodic(Duration.ofNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Durability(Durability.Mode.NONE, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Options.defaults().withAsyncLimit(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
