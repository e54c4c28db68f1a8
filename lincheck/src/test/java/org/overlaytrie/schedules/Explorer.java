package org.overlaytrie.schedules;

import java.util.ArrayList;
import java.util.List;

/** Runs a scenario under many schedules and stops at the first that goes wrong. */
final class Explorer {

  /**
   * What an exploration found.
   *
   * @param executions how many schedules were run
   * @param steps how many steps they took together
   * @param failure the schedule that went wrong, step by step; null if none did
   */
  record Result(long executions, long steps, AssertionError failure) {}

  private final int maxPreemptions;
  private final int maxSpuriousWakeUps;

  /**
   * @param maxPreemptions how often a schedule may interrupt a thread that could go on; changes of
   *     thread where one sleeps or ends come on top
   * @param maxSpuriousWakeUps how often a schedule may wake a sleeping thread for no reason
   */
  Explorer(int maxPreemptions, int maxSpuriousWakeUps) {
    this.maxPreemptions = maxPreemptions;
    this.maxSpuriousWakeUps = maxSpuriousWakeUps;
  }

  /** Every schedule within the bounds. */
  Result exploreAll(Scenario scenario) throws Exception {
    return explore(scenario, new Choices.All(), "depth first");
  }

  /** {@code executions} random schedules within the bounds. */
  Result exploreRandomly(Scenario scenario, long seed, int executions) throws Exception {
    return explore(scenario, new Choices.Seeded(seed, executions), "seed " + seed);
  }

  private Result explore(Scenario scenario, Choices choices, String how) throws Exception {
    List<Actor> actors = new ArrayList<>();
    long executions = 0;
    long steps = 0;
    try {
      do {
        List<Scenario.Body> bodies = scenario.begin();
        while (actors.size() < bodies.size()) {
          Actor actor = new Actor(actors.size());
          actors.add(actor);
          actor.start();
        }
        Execution execution = new Execution(actors, choices, maxPreemptions, maxSpuriousWakeUps);
        execution.run(bodies);
        executions++;
        steps += execution.history().size();
        AssertionError failure = judge(scenario, execution, executions, how);
        if (failure != null) {
          return new Result(executions, steps, failure);
        }
      } while (choices.advance());
    } finally {
      actors.forEach(Actor::dismiss);
    }
    return new Result(executions, steps, null);
  }

  private static AssertionError judge(
      Scenario scenario, Execution execution, long executions, String how) throws Exception {
    String what = execution.failure();
    Throwable cause = execution.cause();
    if (what == null) {
      try {
        scenario.check();
        return null;
      } catch (AssertionError wrong) {
        what = wrong.getMessage();
        cause = wrong;
      }
    }
    return new AssertionError(
        what
            + "\nin schedule "
            + executions
            + " ("
            + how
            + "):\n"
            + String.join("\n", execution.history()),
        cause);
  }
}
