package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.overlaytrie.conformance.crash.History.Event;
import org.overlaytrie.conformance.crash.Recoveries.Recovered;

/**
 * A moment at which the machine may stop.
 *
 * @param disk as it is then
 * @param historyLength how much of the history is then past
 * @param requiredLsn the newest LSN that an answer given by then depends on
 */
record CrashPoint(SimulatedStorage disk, int historyLength, long requiredLsn) {

  /**
   * Crashes here in every way that is tried, and checks what recovery finds: nothing lost that was
   * answered, nothing that was not committed, exactly the content after the last change found, and
   * all in an order that the history allows.
   *
   * @return the number of ways
   */
  int check(Execution.Past past, Recoveries recoveries) {
    Recoveries.Outcomes outcomes = recoveries.afterCrashOf(disk);
    for (Recovered recovered : outcomes.found()) {
      check(recovered, past);
    }
    return outcomes.crashes();
  }

  /** Checks what recovery found after one crash here. */
  void check(Recovered recovered, Execution.Past past) {
    List<Event> events = new ArrayList<>(past.history().prefix(historyLength));
    events.add(new History.Reopened(recovered.content()));
    if (recovered.lsn() < requiredLsn) {
      throw new AssertionError(
          "lost: recovered to LSN %d, but an answer depended on LSN %d%n%s"
              .formatted(recovered.lsn(), requiredLsn, events));
    }
    Map<String, String> expected = past.order().contentAt(recovered.lsn());
    if (!expected.equals(recovered.content())) {
      throw new AssertionError(
          "recovered to LSN %d, where the content was %s%n%s"
              .formatted(recovered.lsn(), expected, events));
    }
    String problem = HistoryChecker.explain(past.initial(), events);
    if (problem != null) {
      throw new AssertionError(problem);
    }
  }
}
