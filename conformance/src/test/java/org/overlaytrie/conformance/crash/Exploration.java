package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * Goes through all schedules in which the turn is taken from a thread that could go on at most so
 * many times. Most mistakes need one or two such preemptions.
 */
final class Exploration implements Turns.Chooser {

  /** One decision: what was chosen of how many, and whether choosing another one is free. */
  private static final class Decision {
    final int options;
    final boolean preempts;
    int chosen;

    Decision(int options, boolean preempts) {
      this.options = options;
      this.preempts = preempts;
    }
  }

  private final int preemptions;
  private final List<Decision> decisions = new ArrayList<>();
  private int position;

  Exploration(int preemptions) {
    this.preemptions = preemptions;
  }

  @Override
  public int choose(List<Integer> options, boolean preempts) {
    if (position == decisions.size()) {
      decisions.add(new Decision(options.size(), preempts));
    }
    Decision decision = decisions.get(position++);
    if (decision.options != options.size() || decision.preempts != preempts) {
      throw new AssertionError("the execution does not repeat itself");
    }
    return decision.chosen;
  }

  /** Turns to the next schedule; false if there is none. */
  boolean next() {
    position = 0;
    while (!decisions.isEmpty()) {
      Decision last = decisions.get(decisions.size() - 1);
      boolean affordable = !last.preempts || last.chosen > 0 || spent() < preemptions;
      if (last.chosen + 1 < last.options && affordable) {
        last.chosen++;
        return true;
      }
      decisions.remove(decisions.size() - 1);
    }
    return false;
  }

  private long spent() {
    return decisions.stream().filter(each -> each.preempts && each.chosen > 0).count();
  }
}
