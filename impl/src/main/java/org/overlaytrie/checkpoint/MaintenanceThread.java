package org.overlaytrie.checkpoint;

import org.overlaytrie.commit.Parking;

/**
 * The thread of a store that makes checkpoints which nobody waits for. It is started when the first
 * one is due, or to measure the interval, and ends with the store.
 */
final class MaintenanceThread {
  /** So long after an attempt that failed the next one is made. */
  private static final long RETRY_NANOS = 1_000_000_000;

  private final Checkpoints checkpoints;
  private final Parking parking;
  private final long intervalNanos;
  private volatile Thread thread;
  private volatile boolean woken;
  private volatile long latestEnd;

  MaintenanceThread(Checkpoints checkpoints, Parking parking, long intervalNanos) {
    this.checkpoints = checkpoints;
    this.parking = parking;
    this.intervalNanos = intervalNanos;
    this.latestEnd = parking.nanoTime();
  }

  /** Has it look whether a checkpoint is due, soon. */
  void wake() {
    woken = true;
    parking.unpark(startOnce());
  }

  /** Starts it if it has to measure an interval. */
  void startForInterval() {
    if (intervalNanos > 0 && thread == null) {
      startOnce();
    }
  }

  private Thread startOnce() {
    Thread started = thread;
    return started == null ? start() : started;
  }

  private synchronized Thread start() {
    if (thread == null) {
      Thread maintaining = new Thread(this::run, "overlay-trie-maintenance");
      maintaining.setDaemon(true);
      maintaining.start();
      thread = maintaining;
    }
    return thread;
  }

  /** Has it end, if it was ever started. */
  void end() {
    Thread started = thread;
    if (started != null) {
      parking.unpark(started);
    }
  }

  /** An attempt has ended: the interval begins anew. */
  void noteEnd() {
    latestEnd = parking.nanoTime();
  }

  boolean isIntervalOver() {
    return intervalNanos > 0 && parking.nanoTime() - latestEnd >= intervalNanos;
  }

  boolean isTimeToRetry() {
    return parking.nanoTime() - latestEnd >= RETRY_NANOS;
  }

  private void run() {
    long latestLook = latestEnd;
    while (checkpoints.isWorking()) {
      long sinceLook = parking.nanoTime() - latestLook;
      if (woken || (intervalNanos > 0 && sinceLook >= intervalNanos)) {
        woken = false;
        checkpoints.checkpointIfDue();
        latestLook = parking.nanoTime();
      } else if (intervalNanos > 0) {
        parking.parkNanos(this, intervalNanos - sinceLook);
      } else {
        parking.park(this);
      }
      Thread.interrupted(); // nobody has a reason to, and it would end every sleep
    }
  }
}
