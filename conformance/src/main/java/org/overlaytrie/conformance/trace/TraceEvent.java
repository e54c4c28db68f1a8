package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * One event of a trace.
 *
 * @param run the number of the run (one open of the store), from 1
 * @param thread the thread that recorded it
 * @param number its place among the thread's events of that run, from 1; 0 if it was not recorded
 *     but inferred: the last step of a thread that was killed before it could record it
 * @param kind what happened
 * @param numbers the kind's numbers; none for {@code INVOKE}
 * @param texts the kind's arrays, as {@link Bytes#show} shows them, null elements where there was
 *     none; before them, for {@code INVOKE}, the operation's name; for {@code INVOKE_BATCH} the
 *     writes, as {@link BatchText} shows them
 */
record TraceEvent(
    int run, long thread, int number, Kind kind, List<Long> numbers, List<String> texts) {

  /** The thread of an inferred event that one of several threads may have taken. */
  static final long UNKNOWN = -1;

  /** The thread of an inferred event that a thread took which recorded nothing else. */
  static final long SILENT = -2;

  /** An event that a killed thread did not get to record. */
  static TraceEvent inferred(int run, long thread, Kind kind, Long... numbers) {
    return new TraceEvent(run, thread, 0, kind, List.of(numbers), List.of());
  }

  /** One of the event's numbers. */
  long number(int index) {
    return numbers.get(index);
  }

  /** The event's LSN; the last one of a frame. */
  long lsn() {
    return switch (kind) {
      case COMMIT_VERSION,
          OBSERVE_NO_OP,
          READ_VISIBLE,
          READ_TIP,
          REQUEST_SYNC,
          ENQUEUE,
          RECHECK_VISIBLE,
          COLLECT_BATCH,
          FORCE_LOG,
          MAKE_VISIBLE,
          RECHECK_TIP,
          READ_LOG,
          FINISH_RECOVERY,
          CLOSE_TIP,
          WRITE_CLOSE ->
          numbers.get(0);
      case WAKE_SERVED, HAND_OVER -> numbers.get(1);
      case WRITE_FRAME -> numbers.get(2);
      default -> throw new IllegalStateException(kind + " has no LSN");
    };
  }

  /** The event's leadership term. */
  long term() {
    return switch (kind) {
      case BECOME_LEADER, PARK, RELEASE_LEADERSHIP -> numbers.get(0);
      case HAND_OVER -> numbers.get(2);
      default -> throw new IllegalStateException(kind + " has no term");
    };
  }

  /** The waiting threads' entries that the event names. */
  List<Entry> entries() {
    return switch (kind) {
      case WAKE_SERVED, HAND_OVER -> List.of(new Entry(numbers.get(0), numbers.get(1)));
      case ENQUEUE -> List.of(new Entry(thread, numbers.get(0)));
      case DRAIN_WAITERS -> {
        int count = numbers.size() / 2;
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          entries.add(new Entry(numbers.get(i), numbers.get(count + i)));
        }
        yield entries;
      }
      default -> List.of();
    };
  }

  /** The name of the action of the specification. */
  String action() {
    if (kind == Kind.INVOKE_BATCH) {
      return "Invoke";
    }
    StringBuilder name = new StringBuilder();
    for (String word : kind.name().split("_", 0)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
    }
    return name.toString();
  }

  @Override
  public String toString() {
    List<Object> arguments = new ArrayList<>(numbers);
    arguments.addAll(texts);
    return action()
        + arguments
        + (number == 0
            ? " (not recorded, inferred) of thread " + thread
            : ", event " + number + " of thread " + thread)
        + ", run "
        + run;
  }

  /** An entry on the stack of waiters; a thread waits for an LSN at most once in a run. */
  record Entry(long thread, long lsn) {}
}
