package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Iterators while other threads write: each key at most once, in order, and every key that is there
 * all the time. Even keys stay; odd ones come and go. {@code -Doverlaytrie.seed=N} repeats a run as
 * far as threads can.
 */
class IterationUnderChangeTest {
  private static final long KEYS = 2_000;
  private static final int WRITERS = 2;
  private static final int WRITES = 6_000;
  private static final int LEAST_PASSES = 20;

  private final long seed = Long.getLong("overlaytrie.seed", System.nanoTime());

  @Test
  void iteratorsShowEachKeyOnceInOrderAndAllThatStay() throws Exception {
    try (OverlayTrie<Long, Long> store = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
      for (long key = 0; key < KEYS; key += 2) {
        store.put(key, -key);
      }
      AtomicInteger writing = new AtomicInteger(WRITERS);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        Random random = new Random(seed + writer);
        tasks.add(
            () -> {
              try {
                write(store, random);
              } finally {
                writing.decrementAndGet();
              }
              return null;
            });
      }
      tasks.add(
          () -> {
            Random random = new Random(seed + WRITERS);
            for (int pass = 0; pass < LEAST_PASSES || writing.get() > 0; pass++) {
              readAPart(store, random);
            }
            return null;
          });
      tasks.add(
          () -> {
            for (int pass = 0; pass < LEAST_PASSES || writing.get() > 0; pass++) {
              readASnapshotTwice(store);
            }
            return null;
          });
      runAll(tasks);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("-Doverlaytrie.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  private static void write(OverlayTrie<Long, Long> store, Random random) {
    for (int i = 0; i < WRITES; i++) {
      long key = 2L * random.nextInt((int) KEYS / 2) + 1;
      if (random.nextBoolean()) {
        store.put(key, (long) i);
      } else {
        store.remove(key);
      }
    }
  }

  private static void readAPart(OverlayTrie<Long, Long> store, Random random) {
    long from = random.nextInt((int) KEYS);
    long to = from + random.nextInt((int) KEYS);
    NavigableMap<Long, Long> part = store.subMap(from, true, to, false);
    assertComplete(List.copyOf(part.navigableKeySet()), from, Math.min(to, KEYS));
    List<Long> backwards = new ArrayList<>();
    part.descendingMap().keySet().iterator().forEachRemaining(key -> backwards.add(0, key));
    assertComplete(backwards, from, Math.min(to, KEYS));
  }

  private static void readASnapshotTwice(OverlayTrie<Long, Long> store) {
    try (Snapshot<Long, Long> snapshot = store.snapshot()) {
      List<Long> keys = List.copyOf(snapshot.keySet());
      assertComplete(keys, 0, KEYS);
      assertThat(snapshot.size()).isEqualTo(keys.size());
      assertThat(List.copyOf(snapshot.keySet())).isEqualTo(keys);
      try (Snapshot<Long, Long> newer = store.snapshot()) {
        assertThat(newer.lsn()).isGreaterThanOrEqualTo(snapshot.lsn());
        long grown = snapshot.diff(newer).filter(change -> change.before() == null).count();
        long shrunk = snapshot.diff(newer).filter(change -> change.after() == null).count();
        assertThat(newer.size() - keys.size()).isEqualTo((int) (grown - shrunk));
      }
    }
  }

  /** In order, none twice, and every even key from {@code from} on and below {@code to}. */
  private static void assertComplete(List<Long> keys, long from, long to) {
    long even = 0;
    long last = from - 1;
    for (long key : keys) {
      assertThat(key).isGreaterThan(last).isLessThan(to);
      last = key;
      even += key % 2 == 0 ? 1 : 0;
    }
    assertThat(even).isEqualTo((to + 1) / 2 - (from + 1) / 2);
  }

  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
