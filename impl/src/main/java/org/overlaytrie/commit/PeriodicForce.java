package org.overlaytrie.commit;

import org.overlaytrie.StoreFailedException;

/**
 * The thread of a store that makes everything durable again and again, with a pause in between. It
 * ends once the store is closed or has failed.
 */
final class PeriodicForce {
  private final SequencedCommit commit;
  private final Parking parking;
  private final long intervalNanos;
  private volatile Thread thread;

  PeriodicForce(SequencedCommit commit, Parking parking, long intervalNanos) {
    this.commit = commit;
    this.parking = parking;
    this.intervalNanos = intervalNanos;
  }

  void start() {
    Thread forcing = new Thread(this::forceAgainAndAgain, "overlay-trie-periodic-force");
    forcing.setDaemon(true);
    thread = forcing;
    forcing.start();
  }

  /** The store is closed: the thread may end without waiting for the next time. */
  void end() {
    parking.unpark(thread);
  }

  private void forceAgainAndAgain() {
    while (pause()) {
      try {
        if (commit.tip().lsn() > commit.visible().lsn()) {
          commit.sync();
        }
      } catch (StoreFailedException | IllegalStateException over) {
        return; // whoever writes next is told so
      } catch (Error again) {
        // Of memory, before the flush began: the next time may succeed.
      }
    }
  }

  /** Sleeps for an interval; false if the store is closed. */
  private boolean pause() {
    long end = parking.nanoTime() + intervalNanos;
    for (long left = intervalNanos; left > 0; left = end - parking.nanoTime()) {
      if (commit.tip().closed()) {
        return false;
      }
      parking.parkNanos(this, left);
      Thread.interrupted(); // nobody has a reason to, and it would end every sleep
    }
    return true;
  }
}
