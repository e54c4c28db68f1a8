package org.overlaytrie.commit;

import java.util.concurrent.locks.LockSupport;

/** How threads sleep and wake: the seam at which a test may take control of schedule and time. */
public interface Parking {

  /** The JVM's own way. */
  Parking LOCK_SUPPORT =
      new Parking() {
        @Override
        public void park(Object blocker) {
          LockSupport.park(blocker);
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }
      };

  /** Sleeps until {@link #unpark} was or is called for this thread; may return for no reason. */
  void park(Object blocker);

  /** The same, for so long at most. */
  default void parkNanos(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }

  /** Wakes {@code thread}, or makes its next {@link #park} return at once. */
  void unpark(Thread thread);

  /** The time that {@link #parkNanos} goes by, in nanoseconds since some moment. */
  default long nanoTime() {
    return System.nanoTime();
  }
}
