package org.overlaytrie.schedules.scenario;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.overlaytrie.schedules.Scenario;

/**
 * The textbook wait: one thread sleeps until another has opened. Right if the sleeper looks again
 * after it said that it waits; the twins show that the explorer sees what happens otherwise.
 */
public class Door implements Scenario {
  private volatile boolean open;
  private volatile Thread waiting;

  @Override
  public List<Body> begin() {
    open = false;
    waiting = null;
    return List.of(this::pass, this::unlock);
  }

  void pass() {
    waiting = Thread.currentThread();
    while (!open) {
      LockSupport.park(this);
    }
  }

  void unlock() {
    open = true;
    Thread sleeper = waiting;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  @Override
  public void check() {
    if (!open) {
      throw new AssertionError("passed a closed door");
    }
  }

  /** Looks before it says that it waits, and not again: the opener may come in between. */
  public static final class LooksTooEarly extends Door {
    @Override
    void pass() {
      boolean mustWait = !isOpen();
      announce();
      if (mustWait) {
        LockSupport.park(this);
      }
    }
  }

  /** Looks only once after it said that it waits: a wake-up for no reason lets it through. */
  public static final class TrustsEveryWakeUp extends Door {
    private boolean passedOpen;

    @Override
    void pass() {
      announce();
      if (!isOpen()) {
        LockSupport.park(this);
      }
      passedOpen = isOpen();
    }

    @Override
    public void check() {
      if (!passedOpen) {
        throw new AssertionError("passed a closed door");
      }
    }
  }

  final boolean isOpen() {
    return open;
  }

  final void announce() {
    waiting = Thread.currentThread();
  }
}
