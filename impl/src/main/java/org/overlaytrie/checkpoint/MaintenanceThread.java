package org.overlaytrie.checkpoint;

import org.overlaytrie.commit.Parking;

/**
 * The thread of a store that makes checkpoints which nobody waits for. It is there while it makes
 * one, and for good if there is an interval to be measured.
 */
final class MaintenanceThread {
  /** So long after an attempt that failed the next one is made. */
  private static final long RETRY_NANOS = 1_000_000_000;

  private final Checkpoints checkpoints;
  private final Parking parking;
  private final long intervalNanos;
  private volatile long latestEnd;

  /** Null if there is none; guarded by this object, as is the next. */
  private Thread thread;

  private boolean woken;

  MaintenanceThread(Checkpoints checkpoints, Parking parking, long intervalNanos) {
    this.checkpoints = checkpoints;
    this.parking = parking;
    this.intervalNanos = intervalNanos;
    this.latestEnd = parking.nanoTime();
  }

  /** Has it look whether a checkpoint is due, soon. */
  synchronized void wake() {
    woken = true;
    if (thread == null) {
      start();
    } else {
      parking.unpark(thread);
    }
  }

  /** Starts it if it has to measure an interval. */
  void measureInterval() {
    if (intervalNanos > 0) {
      synchronized (this) {
        if (thread == null) {
          start();
        }
      }
    }
  }

  private void start() {
    Thread maintaining = new Thread(this::run, "overlay-trie-maintenance");
    maintaining.setDaemon(true);
    maintaining.start();
    thread = maintaining;
  }

  /** Has it end, if there is one. */
  synchronized void end() {
    if (thread != null) {
      parking.unpark(thread);
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
    try {
      maintain();
    } catch (Throwable failure) {
      checkpoints.failStore(failure);
    } finally {
      forget();
      checkpoints.wakeWaiters(); // should the store have failed, this thread will not serve them
    }
  }

  private synchronized void forget() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  private void maintain() {
    long latestLook = latestEnd;
    while (checkpoints.isWorking()) {
      long sinceLook = parking.nanoTime() - latestLook;
      if (takeWoken() || (intervalNanos > 0 && sinceLook >= intervalNanos)) {
        checkpoints.checkpointIfDue();
        latestLook = parking.nanoTime();
      } else if (intervalNanos > 0) {
        parking.parkNanos(this, intervalNanos - sinceLook);
        Thread.interrupted(); // nobody has a reason to, and it would end every sleep
      } else if (leave()) {
        return;
      }
    }
  }

  private synchronized boolean takeWoken() {
    boolean taken = woken;
    woken = false;
    return taken;
  }

  /** Unless it was woken again, the next time another thread does this. */
  private synchronized boolean leave() {
    if (!woken) {
      thread = null;
    }
    return !woken;
  }
}
