package org.overlaytrie.conformance.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.overlaytrie.conformance.report.CorruptedTraces;

/** Checks that wrong traces are rejected: by their order, or else by the specification. */
final class CorruptedCheck {
  private CorruptedCheck() {}

  /**
   * What became of the wrong traces.
   *
   * @param counts how many there were and how many were rejected
   * @param accepted those that were not
   */
  record Outcome(CorruptedTraces counts, List<Corruptions.Corrupted> accepted) {}

  /**
   * Makes all wrong traces of a right one, and checks them in one run of TLC, with the right one
   * among them, which must be accepted.
   *
   * @throws TraceProblem if the right trace is rejected
   */
  static Outcome check(Path specs, Path work, Trace trace)
      throws IOException, InterruptedException, TraceProblem {
    List<Corruptions.Corrupted> corrupted = Corruptions.of(trace);
    List<Corruptions.Corrupted> ordered = new ArrayList<>();
    List<List<Line>> lines = new ArrayList<>(List.of(Linearizer.linearize(trace)));
    for (Corruptions.Corrupted one : corrupted) {
      try {
        lines.add(Linearizer.linearize(one.trace()));
        ordered.add(one);
      } catch (TraceProblem rejected) {
        // As it must be.
      }
    }
    List<Boolean> verdicts = TraceCheck.checkMany(specs, work, lines);
    if (!verdicts.get(0)) {
      throw new TraceProblem("the trace was rejected before it was changed");
    }
    List<Corruptions.Corrupted> accepted = new ArrayList<>();
    for (int i = 0; i < ordered.size(); i++) {
      if (verdicts.get(i + 1)) {
        accepted.add(ordered.get(i));
      }
    }
    return new Outcome(count(corrupted, accepted), accepted);
  }

  private static CorruptedTraces count(
      List<Corruptions.Corrupted> corrupted, List<Corruptions.Corrupted> accepted) {
    TreeMap<String, int[]> byChange = new TreeMap<>();
    corrupted.forEach(one -> byChange.computeIfAbsent(one.change(), c -> new int[2])[0]++);
    accepted.forEach(one -> byChange.get(one.change())[1]++);
    return new CorruptedTraces(
        corrupted.size(),
        corrupted.size() - accepted.size(),
        byChange.entrySet().stream()
            .map(
                e ->
                    new CorruptedTraces.Change(
                        e.getKey(), e.getValue()[0], e.getValue()[0] - e.getValue()[1]))
            .toList());
  }
}
