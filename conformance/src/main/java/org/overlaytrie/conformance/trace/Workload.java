package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Snapshot;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.Transaction;
import org.overlaytrie.TransactionConflictException;

/**
 * Seeded threads that do everything a map can do, on few keys, so that they get in each other's
 * way.
 *
 * @param seed what each thread does; when it does so is up to the scheduler
 * @param threads how many threads
 * @param operations how many operations each thread performs at most; it ends earlier if the store
 *     fails
 * @param keys how many keys there are
 * @param async whether there are writes that do not wait, and syncs
 */
record Workload(long seed, int threads, int operations, int keys, boolean async) {

  /** Without calls that do not wait, and without syncs. */
  Workload(long seed, int threads, int operations, int keys) {
    this(seed, threads, operations, keys, false);
  }

  /** Runs all threads to their end. */
  void run(OverlayTrie<String, String> store) throws InterruptedException {
    run(store, new CountDownLatch(0), false);
  }

  /** Runs all threads, and closes the store when half of all operations are done. */
  void runUntilClosed(OverlayTrie<String, String> store) throws InterruptedException {
    run(store, new CountDownLatch(threads * operations / 2), true);
  }

  private void run(OverlayTrie<String, String> store, CountDownLatch half, boolean closes)
      throws InterruptedException {
    List<Thread> running = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread = new Thread(() -> work(store, number, half, closes), "workload-" + i);
      thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
      thread.start();
      running.add(thread);
    }
    if (closes) {
      half.await();
      store.close();
    }
    for (Thread thread : running) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "the workload with seed " + seed + " failed", failures.get(0));
    }
  }

  private void work(
      OverlayTrie<String, String> store, int thread, CountDownLatch half, boolean closes) {
    Random random = new Random(seed * 1_000_003 + thread);
    int i = 0;
    try {
      for (; i < operations; i++) {
        operate(store, random, seed + "-" + thread + "-" + i);
        half.countDown();
      }
    } catch (StoreFailedException e) {
      // The others end the same way; reads still work.
      store.get(key(random));
    } catch (IllegalStateException e) {
      if (!closes || half.getCount() > 0) {
        throw e; // nobody had closed the store
      }
    } finally {
      while (i++ < operations && half.getCount() > 0) {
        half.countDown(); // nobody waits for what will not be done
      }
    }
  }

  private void operate(OverlayTrie<String, String> store, Random random, String value) {
    String key = key(random);
    switch (random.nextInt(async ? 26 : 20)) {
      case 0, 1, 2 -> store.put(key, value);
      case 3 -> store.putIfAbsent(key, value);
      case 4 -> store.replace(key, value);
      case 5 -> store.remove(key);
      case 6 -> {
        String expected = store.get(key);
        if (expected != null) {
          store.replace(key, expected, value);
        }
      }
      case 7 -> {
        String expected = store.get(key);
        if (expected != null) {
          store.remove(key, expected);
        }
      }
      case 8 -> store.remove(key, "never written");
      case 9 -> readAll(store);
      case 10 ->
          store.writeBatch(
              batch -> {
                batch.put(key, value + "-first");
                batch.removePrefix(random.nextInt(8) == 0 ? "key" : "none");
                batch.put(key(random), value + "-second");
                batch.remove(key(random));
              });
      case 11 -> store.subMap(key, true, key(random, key), true).clear();
      case 12 -> store.merge(key, value, (old, added) -> added);
      case 13 -> store.computeIfPresent(key, (k, old) -> random.nextBoolean() ? value : null);
      case 14 -> transact(store, random, value);
      case 15 -> {
        TreeMap<String, String> sorted = new TreeMap<>(Map.of(key, value + "-bulk"));
        sorted.put(key(random), value + "-bulk");
        store.putAllSorted(sorted.entrySet().iterator());
      }
      case 16 -> {
        try (Snapshot<String, String> before = store.snapshot()) {
          store.put(key, value);
          store.mergeFrom(before, (mine, theirs) -> mine.equals(value) ? null : theirs);
        }
      }
      case 20, 21 -> store.putAsync(key, value);
      case 22 -> store.removeAsync(key);
      case 23 -> store.computeAsync(key, (k, old) -> old == null ? value : null);
      case 24 -> store.sync();
      case 25 -> store.syncAsync();
      default -> store.get(key);
    }
  }

  private void transact(OverlayTrie<String, String> store, Random random, String value) {
    try (Transaction<String, String> transaction = store.beginValidated()) {
      transaction.get(key(random));
      transaction.put(key(random), value + "-first");
      transaction.put(key(random), value + "-second");
      if (random.nextInt(4) > 0) {
        transaction.commit();
      }
    } catch (TransactionConflictException e) {
      // Another thread was first; that is told in the trace.
    }
  }

  private static void readAll(OverlayTrie<String, String> store) {
    Iterator<Map.Entry<String, String>> entries = store.entrySet().iterator();
    while (entries.hasNext()) {
      entries.next();
    }
  }

  private String key(Random random) {
    return "key" + random.nextInt(keys);
  }

  /** A key that does not come before {@code from}. */
  private String key(Random random, String from) {
    String key = key(random);
    return key.compareTo(from) < 0 ? from : key;
  }
}
