package org.overlaytrie.commit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads that wait, newest first. Pushing is one CAS (losing it means that another thread
 * pushed first); the leader takes all entries with one swap. There is no removal of a single entry
 * and so no ABA problem.
 */
final class WaiterStack {
  private final AtomicReference<Waiter> top = new AtomicReference<>();

  void push(Waiter waiter) {
    Waiter seen;
    do {
      seen = top.get();
      waiter.next = seen;
    } while (!top.compareAndSet(seen, waiter));
  }

  /** Whether nobody was pushed since the last {@link #drain}. */
  boolean isEmpty() {
    return top.get() == null;
  }

  /** All entries, linked by {@link Waiter#next}; the stack is empty afterwards. */
  Waiter drain() {
    return top.getAndSet(null);
  }
}
