package org.overlaytrie;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.overlaytrie.commit.Parking;

/** Time that stands still until it is told to go on. */
final class StoppedClock implements Parking {
  private final AtomicLong now = new AtomicLong();
  private final Semaphore ticks = new Semaphore(0);
  final Semaphore pauses = new Semaphore(0);
  volatile Thread sleeper;

  @Override
  public void park(Object blocker) {
    LOCK_SUPPORT.park(blocker);
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    sleeper = Thread.currentThread();
    pauses.release();
    ticks.acquireUninterruptibly();
  }

  @Override
  public void unpark(Thread thread) {
    if (thread == sleeper) {
      ticks.release();
    }
    LOCK_SUPPORT.unpark(thread);
  }

  @Override
  public long nanoTime() {
    return now.get();
  }

  /** An interval later, when the thread sleeps again. */
  void tick(Duration interval) {
    pauses.acquireUninterruptibly();
    now.addAndGet(interval.toNanos());
    ticks.release();
  }
}
