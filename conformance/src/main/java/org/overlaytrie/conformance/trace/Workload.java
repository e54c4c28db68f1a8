package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreFailedException;

/**
 * Seeded threads that do everything a map can do, on few keys, so that they get in each other's
 * way.
 *
 * @param seed what each thread does; when it does so is up to the scheduler
 * @param threads how many threads
 * @param operations how many operations each thread performs at most; it ends earlier if the store
 *     fails
 * @param keys how many keys there are
 */
record Workload(long seed, int threads, int operations, int keys) {

  /** Runs all threads to their end. */
  void run(OverlayTrie<String, String> store) throws InterruptedException {
    List<Thread> running = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread = new Thread(() -> work(store, number), "workload-" + i);
      thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "the workload with seed " + seed + " failed", failures.get(0));
    }
  }

  private void work(OverlayTrie<String, String> store, int thread) {
    Random random = new Random(seed * 1_000_003 + thread);
    try {
      for (int i = 0; i < operations; i++) {
        operate(store, random, seed + "-" + thread + "-" + i);
      }
    } catch (StoreFailedException e) {
      // The others end the same way; reads still work.
      store.get(key(random));
    }
  }

  private void operate(OverlayTrie<String, String> store, Random random, String value) {
    String key = key(random);
    switch (random.nextInt(12)) {
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
      default -> store.get(key);
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
}
