package org.overlaytrie.commit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Who may write the log: a term that is even while nobody leads and odd while somebody does.
 *
 * <pre>
 *   free n --acquire--&gt; held n+1 --hand over--&gt; held n+3 ... --release--&gt; free
 * </pre>
 *
 * <p>Every step raises the term, so the terms order all changes of leadership. Losing the acquiring
 * CAS means that somebody else leads. All accesses are volatile: whatever a leader wrote to plain
 * memory is seen by the next one.
 */
final class Leadership {
  private final AtomicLong term = new AtomicLong();

  /**
   * The new odd term if the leadership was free and is now the caller's; otherwise the negated term
   * seen.
   */
  long tryAcquire() {
    long seen = term.get();
    if ((seen & 1) == 0 && term.compareAndSet(seen, seen + 1)) {
      return seen + 1;
    }
    return -Math.max(1, seen);
  }

  /**
   * Raises the term for the next leader and returns it; the leadership stays held. Only for the
   * leader.
   */
  long handOver() {
    return term.addAndGet(2);
  }

  /** Frees the leadership and returns the new even term. Only for the leader. */
  long release() {
    return term.incrementAndGet();
  }
}
