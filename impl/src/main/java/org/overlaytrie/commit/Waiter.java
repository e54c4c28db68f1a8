package org.overlaytrie.commit;

/**
 * One thread that waits until an LSN is visible. Its entry may outlive the wait: a thread that
 * finds its LSN visible by itself leaves the entry for the next leader to discard.
 */
final class Waiter {
  /** Set by the leader, read by the waiting thread. */
  enum State {
    WAITING,
    /** The LSN is visible, or never will be because the store has failed. */
    SERVED,
    /** The leadership is this thread's. */
    PROMOTED
  }

  final Thread thread;
  final long lsn;

  /** The next entry of the stack or of the leader's list; owned by whoever owns that. */
  Waiter next;

  private volatile State state = State.WAITING;

  /** The first that was thrown in the waiting thread, whose alone it is. */
  private Throwable thrown;

  Waiter(Thread thread, long lsn) {
    this.thread = thread;
    this.lsn = lsn;
  }

  State state() {
    return state;
  }

  /**
   * The last touch of this entry by the leader; with {@code PROMOTED}, also its last step as
   * leader.
   */
  void release(State newState) {
    state = newState;
  }

  /** Keeps what was thrown in the waiting thread until it need not wait any more. */
  void keep(Throwable what) {
    if (thrown == null) {
      thrown = what;
    }
  }

  /** Throws what was kept, in the waiting thread. */
  void rethrow() {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
