package org.overlaytrie.schedules;

/**
 * What code loaded by a {@link SteppingLoader} calls at its steps. Threads that no {@link
 * Execution} controls pass through.
 */
public final class Steps {
  private Steps() {}

  /** Before an access to shared memory: another thread may move first. */
  public static void step(String where) {
    if (Thread.currentThread() instanceof Actor actor) {
      actor.execution().step(actor, where);
    }
  }

  /** Names the action of the specification that the thread is taking; not a step. */
  public static void note(String action) {
    if (Thread.currentThread() instanceof Actor actor) {
      actor.execution().note(actor, action);
    }
  }

  /** In place of {@code LockSupport.park}. */
  public static void park() {
    controlled("park").execution().park((Actor) Thread.currentThread());
  }

  /** In place of {@code LockSupport.unpark}. */
  public static void unpark(Thread thread) {
    controlled("unpark").execution().unpark((Actor) Thread.currentThread(), (Actor) thread);
  }

  /** In place of a blocking call that cannot be controlled: better to fail than to hang. */
  public static void unsupported(String where) {
    if (Thread.currentThread() instanceof Actor) {
      throw new UnsupportedOperationException("a blocking call that is not controlled: " + where);
    }
  }

  private static Actor controlled(String what) {
    if (Thread.currentThread() instanceof Actor actor) {
      return actor;
    }
    throw new IllegalStateException(what + " by a thread that is not controlled");
  }
}
