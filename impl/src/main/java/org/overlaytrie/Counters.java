package org.overlaytrie;

import java.util.concurrent.ConcurrentMap;

/** Entries that count. */
public final class Counters {
  private Counters() {}

  /**
   * Adds {@code delta} to the value of {@code key}, which counts as 0 while it is absent, and
   * returns the sum. Atomic; wraps around like {@code +}. In a store it is one write, as durable
   * when this returns as its {@link Durability} says, and any number of threads that count on one
   * key share forces.
   */
  public static <K> long addAndGet(ConcurrentMap<K, Long> counters, K key, long delta) {
    return counters.merge(key, delta, Long::sum);
  }
}
