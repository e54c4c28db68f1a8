package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * What was recorded of one store, each thread's events in its own order.
 *
 * @param runs from the first open to the last
 */
record Trace(List<Run> runs) {

  /**
   * One open of the store, until it was closed or its process died.
   *
   * @param number from 1
   * @param threads the events of each thread, in the order in which it recorded them
   * @param closed whether the store was closed. If not, the last step of any thread may be missing
   *     from the trace, because the process died between the step and its record
   */
  record Run(int number, List<List<TraceEvent>> threads, boolean closed) {

    /** A run from what its threads recorded, the end of the recording among it. */
    static Run of(int number, List<List<TraceEvent>> recorded) {
      List<List<TraceEvent>> threads = new ArrayList<>();
      boolean closed = false;
      for (List<TraceEvent> events : recorded) {
        List<TraceEvent> steps = events.stream().filter(e -> e.kind() != Kind.CLOSE).toList();
        closed |= steps.size() < events.size();
        if (!steps.isEmpty()) {
          threads.add(steps);
        }
      }
      return new Run(number, List.copyOf(threads), closed);
    }

    /** All events of a kind. */
    Stream<TraceEvent> events(Kind kind) {
      return threads.stream().flatMap(List::stream).filter(event -> event.kind() == kind);
    }
  }

  /** How many events were recorded. */
  long size() {
    return runs.stream().flatMap(run -> run.threads().stream()).mapToLong(List::size).sum();
  }

  /** How many threads took part. */
  int threads() {
    return (int)
        runs.stream()
            .flatMap(run -> run.threads().stream())
            .map(t -> t.get(0).thread())
            .distinct()
            .count();
  }

  /** Whether a process died and the store was opened again. */
  boolean killed() {
    return runs.size() > 1 && runs.subList(0, runs.size() - 1).stream().anyMatch(r -> !r.closed());
  }
}
