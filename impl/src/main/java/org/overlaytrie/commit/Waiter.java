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
}
