package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Builds runs event by event: in the order of the calls, each thread's events follow each other.
 */
final class Events {
  private final Map<Long, List<TraceEvent>> threads = new TreeMap<>();

  /** An event with numbers. */
  Events add(long thread, Kind kind, Long... numbers) {
    return add(thread, kind, List.of(numbers), List.of());
  }

  /** An operation that puts a value. */
  Events put(long thread, String key, String value) {
    return add(thread, Kind.INVOKE, List.of(), Arrays.asList("PUT", key, null, value));
  }

  /** An answer. */
  Events answer(long thread, String previous) {
    return add(thread, Kind.ANSWER, List.of(), Arrays.asList(previous));
  }

  /** A read of a key. */
  Events read(long thread, long lsn, String key, String result) {
    return add(thread, Kind.READ_VISIBLE, List.of(lsn), Arrays.asList(key, result));
  }

  /** A recovery that found nothing. */
  Events recover(long thread) {
    return add(thread, Kind.READ_LOG, 0L)
        .add(thread, Kind.OPEN_INCARNATION, 1L)
        .add(thread, Kind.FINISH_RECOVERY, 0L);
  }

  /** A flush up to an LSN by a thread that leads. */
  Events flush(long thread, long first, long last) {
    return add(thread, Kind.COLLECT_BATCH, last)
        .add(thread, Kind.WRITE_FRAME, 1L, first, last)
        .add(thread, Kind.FORCE_LOG, last)
        .add(thread, Kind.MAKE_VISIBLE, last);
  }

  private Events add(long thread, Kind kind, List<Long> numbers, List<String> texts) {
    List<TraceEvent> events = threads.computeIfAbsent(thread, t -> new ArrayList<>());
    events.add(new TraceEvent(1, thread, events.size() + 1, kind, numbers, texts));
    return this;
  }

  /** The run, closed in order. */
  Trace.Run closed() {
    return new Trace.Run(1, List.copyOf(threads.values()), true);
  }

  /** The run, ended by the death of its process. */
  Trace.Run killed() {
    return new Trace.Run(1, List.copyOf(threads.values()), false);
  }
}
