package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs work in threads of its own. */
final class Threads {
  private Threads() {}

  /** Runs all at once and waits; fails if one fails. */
  static void runAll(List<Runnable> work) {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable each : work) {
      Thread thread = new Thread(each, "client " + threads.size());
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a client failed", failures.get(0));
    }
  }
}
