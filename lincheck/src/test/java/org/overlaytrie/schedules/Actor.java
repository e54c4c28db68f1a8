package org.overlaytrie.schedules;

import java.util.concurrent.locks.LockSupport;

/** A thread that moves only when it has the turn; it serves one execution after another. */
final class Actor extends Thread {
  /** Whether the code under test can go on; touched only by the thread that has the turn. */
  enum Status {
    RUNNABLE,
    ASLEEP,
    DONE
  }

  final int index;
  Status status;

  /** A wake-up that came before its sleep, as {@link LockSupport} keeps one. */
  boolean permit;

  private Execution execution;
  private Scenario.Body body;
  private volatile boolean turn;

  Actor(int index) {
    super("schedule-" + (char) ('A' + index));
    this.index = index;
    setDaemon(true);
  }

  void prepare(Execution newExecution, Scenario.Body newBody) {
    execution = newExecution;
    body = newBody;
    status = Status.RUNNABLE;
    permit = false;
  }

  /** Lets the actor end for good; not during an execution. */
  void dismiss() {
    execution = null;
    giveTurn();
  }

  Execution execution() {
    return execution;
  }

  void giveTurn() {
    turn = true;
    LockSupport.unpark(this);
  }

  void awaitTurn() {
    while (!turn) {
      LockSupport.park(this);
    }
    turn = false;
  }

  @Override
  public void run() {
    awaitTurn();
    while (execution != null) {
      Throwable thrown = null;
      try {
        body.run();
      } catch (Throwable t) {
        thrown = t;
      }
      execution.finished(this, thrown);
      awaitTurn();
    }
  }

  @Override
  public String toString() {
    return String.valueOf((char) ('A' + index));
  }
}
