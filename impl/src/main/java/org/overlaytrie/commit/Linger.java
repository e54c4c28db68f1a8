package org.overlaytrie.commit;

/**
 * How a leader waits for others to commit before it collects what it flushes: for as many changes
 * as threads waited for the last flush, its leader, those served and those still waiting, and never
 * longer than the delay. So a lone writer does not wait at all, and when a writer stops, one flush
 * waits in vain.
 *
 * <p>Whoever commits the change that is waited for, or closes the tip, wakes the leader. The two
 * cannot miss each other: the leader announces itself before it looks at the tip, and a committer
 * looks for the announcement after it moved the tip.
 *
 * <p>All methods but {@link #arrived} are for the leader. Nothing here matters to the protocol:
 * between becoming the leader and collecting, a leader may take any time.
 */
final class Linger {
  private final Versions versions;
  private final Parking parking;
  private final long delayNanos;

  /** The threads that waited for the last flush: owned by the leader. */
  private long writers;

  /** Who lingers, for which LSN. */
  private record Announcement(Thread leader, long lsn) {}

  private volatile Announcement announcement;

  Linger(Versions versions, Parking parking, long delayNanos) {
    this.versions = versions;
    this.parking = parking;
    this.delayNanos = delayNanos;
  }

  /** There was a flush, by one thread. */
  void flushed() {
    writers = 1;
  }

  /** One more waited, or still waits. */
  void waiting() {
    writers++;
  }

  /** A version of this LSN is at the tip. */
  void arrived(long lsn) {
    Announcement seen = announcement;
    if (seen != null && lsn >= seen.lsn) {
      parking.unpark(seen.leader);
    }
  }

  /** Waits; an interrupt is kept for later. */
  void await() {
    long lsn = versions.visible().lsn() + writers;
    if (versions.tip().settledLsn() >= lsn) {
      return;
    }
    boolean interrupted = false;
    announcement = new Announcement(Thread.currentThread(), lsn);
    try {
      long end = parking.nanoTime() + delayNanos;
      for (long left = delayNanos;
          left > 0 && versions.tip().settledLsn() < lsn;
          left = end - parking.nanoTime()) {
        parking.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
    } finally {
      announcement = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
