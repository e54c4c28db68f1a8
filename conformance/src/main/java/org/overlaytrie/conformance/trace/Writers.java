package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.overlaytrie.conformance.trace.TraceEvent.Entry;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Names for the threads of a run: {@code w1}, {@code w2}, ... A name is given to the next thread
 * when its thread has finished all it did and is not mentioned any more, so that as few names are
 * needed as threads write at the same time.
 */
final class Writers {
  /** With these a thread has finished what it did. */
  private static final Set<Kind> LAST_STEPS =
      Set.of(
          Kind.ANSWER,
          Kind.ANSWER_UNFORCED,
          Kind.LEAVE_STAGE,
          Kind.WITHDRAW,
          Kind.ANSWER_FAILURE,
          Kind.REFUSE_CLOSED,
          Kind.CLOSE_LOG);

  /** Steps of no thread of the specification. */
  private static final Set<Kind> UNTHREADED =
      Set.of(Kind.READ_VISIBLE, Kind.READ_TIP, Kind.COMPLETE_STAGE, Kind.FAIL_STAGE);

  private final Map<Integer, List<Long>> lastMentions = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final TreeSet<Integer> free = new TreeSet<>();
  private int used;
  private int position;

  /** For the events of one run, in order. */
  Writers(List<TraceEvent> order) {
    Map<Long, Integer> last = new HashMap<>();
    Map<Long, Boolean> finished = new HashMap<>();
    for (int i = 0; i < order.size(); i++) {
      TraceEvent event = order.get(i);
      if (!UNTHREADED.contains(event.kind())) {
        last.put(event.thread(), i);
        finished.put(event.thread(), LAST_STEPS.contains(event.kind()));
      }
      for (Entry entry : event.entries()) {
        last.put(entry.thread(), i);
      }
    }
    last.forEach(
        (thread, i) -> {
          if (finished.getOrDefault(thread, false)) {
            lastMentions.computeIfAbsent(i, at -> new ArrayList<>()).add(thread);
          }
        });
  }

  /** The name of a thread that is mentioned at the present event. */
  String of(long thread) {
    return "w"
        + numbers.computeIfAbsent(
            thread,
            t -> {
              Integer number = free.pollFirst();
              return number != null ? number : ++used;
            });
  }

  /** Goes on to the next event. */
  void passed() {
    for (long thread : lastMentions.getOrDefault(position++, List.of())) {
      Integer number = numbers.remove(thread);
      if (number != null) {
        free.add(number);
      }
    }
  }
}
