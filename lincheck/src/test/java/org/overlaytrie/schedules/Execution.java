package org.overlaytrie.schedules;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of a scenario in which one thread at a time has the turn. All state here is touched only
 * by the thread that has it; passing the turn on publishes it.
 */
final class Execution {
  /**
   * Ends a thread of an execution that cannot end by itself. Neither an exception nor an error: a
   * waiter keeps those and goes on.
   */
  @SuppressWarnings("serial") // never leaves the process
  private static final class Abandoned extends Throwable {
    Abandoned() {
      super("abandoned", null, false, false);
    }
  }

  private static final int MAX_STEPS = 20_000;

  private final List<Actor> actors;
  private final Choices choices;
  private int preemptionsLeft;
  private int spuriousWakeUpsLeft;
  private final List<String> history = new ArrayList<>();
  private String failure;
  private Throwable cause;
  private boolean abandoned;
  private volatile Thread starter;

  Execution(List<Actor> actors, Choices choices, int maxPreemptions, int maxSpuriousWakeUps) {
    this.actors = actors;
    this.choices = choices;
    this.preemptionsLeft = maxPreemptions;
    this.spuriousWakeUpsLeft = maxSpuriousWakeUps;
  }

  /** Throws; what the compiler takes for the exception that is thrown is not. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException abandon() throws T {
    throw (T) new Abandoned();
  }

  /** Runs the bodies to their end, or until it is certain that they have none. */
  void run(List<Scenario.Body> bodies) {
    for (Actor actor : actors) {
      actor.prepare(this, bodies.get(actor.index));
    }
    starter = Thread.currentThread();
    passTurn(null);
    while (starter != null) {
      LockSupport.park(this);
    }
  }

  /** What went wrong, null if nothing did. */
  String failure() {
    return failure;
  }

  /** The exception behind {@link #failure}, null if there is none. */
  Throwable cause() {
    return cause;
  }

  /** Every step taken, one a line. */
  List<String> history() {
    return history;
  }

  void step(Actor actor, String where) {
    if (history.size() > MAX_STEPS) {
      fail("no end after " + MAX_STEPS + " steps", null);
      throw Execution.<RuntimeException>abandon();
    }
    if (!abandoned && passTurn(actor)) {
      actor.awaitTurn();
    }
    history.add(actor + "  " + where);
  }

  void note(Actor actor, String action) {
    history.add(actor + "      = " + action);
  }

  void park(Actor actor) {
    step(actor, "park");
    if (!actor.permit) {
      if (abandoned) {
        throw Execution.<RuntimeException>abandon();
      }
      actor.status = Actor.Status.ASLEEP;
      if (passTurn(actor)) {
        actor.awaitTurn();
      }
      if (abandoned) {
        throw Execution.<RuntimeException>abandon();
      }
      history.add(actor + "  wakes");
      actor.status = Actor.Status.RUNNABLE;
    }
    actor.permit = false;
  }

  void unpark(Actor actor, Actor sleeper) {
    step(actor, "unpark " + sleeper);
    sleeper.permit = true;
  }

  void finished(Actor actor, Throwable thrown) {
    actor.status = Actor.Status.DONE;
    if (thrown != null && !(thrown instanceof Abandoned)) {
      fail(actor + " threw " + thrown, thrown);
    }
    history.add(actor + "  ends");
    passTurn(actor);
  }

  /** True if another thread has the turn now. {@code actor} is null at the beginning. */
  private boolean passTurn(Actor actor) {
    Actor next = decide(actor);
    if (next == actor) {
      return false;
    }
    if (next != null) {
      next.giveTurn();
    } else {
      Thread waiting = starter;
      starter = null;
      LockSupport.unpark(waiting);
    }
    return true;
  }

  /** Who moves next; null if all are done. */
  private Actor decide(Actor actor) {
    boolean canStay = actor != null && canMove(actor);
    List<Actor> candidates = new ArrayList<>(actors.size());
    if (canStay) {
      candidates.add(actor);
    }
    if (!canStay || preemptionsLeft > 0) {
      for (Actor other : actors) {
        if (other != actor && canMove(other)) {
          candidates.add(other);
        }
      }
    }
    if (candidates.isEmpty()) {
      return endOrAbandon();
    }
    int able = candidates.size();
    if (spuriousWakeUpsLeft > 0) {
      for (Actor sleeper : actors) {
        if (sleeper.status == Actor.Status.ASLEEP && !sleeper.permit) {
          candidates.add(sleeper);
        }
      }
    }
    int chosen = candidates.size() == 1 || abandoned ? 0 : choices.choose(candidates.size());
    if (chosen >= able) {
      spuriousWakeUpsLeft--;
    } else if (canStay && chosen > 0) {
      preemptionsLeft--;
    }
    return candidates.get(chosen);
  }

  private static boolean canMove(Actor actor) {
    return actor.status == Actor.Status.RUNNABLE
        || (actor.status == Actor.Status.ASLEEP && actor.permit);
  }

  /** Nobody can move: either all are done, or those that sleep will sleep for ever. */
  private Actor endOrAbandon() {
    for (Actor sleeper : actors) {
      if (sleeper.status == Actor.Status.ASLEEP) {
        fail("lost wake-up: " + sleeper + " sleeps and nobody is left to wake it", null);
        return sleeper;
      }
    }
    return null;
  }

  private void fail(String what, Throwable thrown) {
    if (failure == null) {
      failure = what;
      cause = thrown;
      history.add("-- " + what);
    }
    abandoned = true;
  }
}
