package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Makes wrong traces out of a right one, by one change each.
 *
 * <p>Only changes after which no execution can have been like that: a read may be left out,
 * repeated or moved within its thread, and what a thread merely saw may have been seen a little
 * earlier or later, so these are not changed in these ways. Stamps that were seen are changed to
 * ones that nobody wrote; a written value is changed only where somebody reported it, and nobody
 * else wrote the same. What a thread did for an operation that ended in the store's failure may
 * have been otherwise, because nobody was told: there, only the failure itself is changed.
 *
 * <p>The trace must be one whose runs were all closed: after a kill, steps that are missing at the
 * end of a thread may be legal.
 */
final class Corruptions {
  /** What a thread does once the store has failed. */
  private static final Set<Kind> FAILING =
      Set.of(Kind.FAIL_STORE, Kind.DRAIN_WAITERS, Kind.ANSWER_FAILURE);

  /** Steps that only look; when they did is known up to an interval. */
  private static final Set<Kind> OBSERVATIONS =
      Set.of(
          Kind.READ_VISIBLE, Kind.RECHECK_VISIBLE, Kind.RECHECK_TIP, Kind.OBSERVE_NO_OP, Kind.PARK);

  private static final Set<Kind> INVOCATIONS = Set.of(Kind.INVOKE, Kind.INVOKE_BATCH);

  private static final long FAR = 1_000_000;
  private static final String OTHER = "something else";

  private final Trace trace;

  /** The values that somebody reported. */
  private final Set<String> reported = new HashSet<>();

  /** How many operations were to write each value. */
  private final Map<String, Integer> writers = new HashMap<>();

  private final List<Corrupted> corrupted = new ArrayList<>();

  /**
   * A wrong trace.
   *
   * @param change what kind of change made it wrong, e.g. {@code drop MakeVisible}
   * @param event what was changed
   * @param trace the result
   */
  record Corrupted(String change, TraceEvent event, Trace trace) {}

  private Corruptions(Trace trace) {
    this.trace = trace;
  }

  /** All wrong traces that can be made so. */
  static List<Corrupted> of(Trace trace) {
    Corruptions corruptions = new Corruptions(trace);
    corruptions.countValues();
    for (int run = 0; run < trace.runs().size(); run++) {
      for (int thread = 0; thread < trace.runs().get(run).threads().size(); thread++) {
        corruptions.corrupt(run, thread);
      }
    }
    return corruptions.corrupted;
  }

  private void countValues() {
    for (Trace.Run run : trace.runs()) {
      run.events(Kind.ANSWER).forEach(event -> reported.add(event.texts().get(0)));
      run.events(Kind.READ_VISIBLE).forEach(event -> reported.add(event.texts().get(1)));
      run.events(Kind.INVOKE).forEach(event -> countWriter(event.texts().get(3)));
      run.events(Kind.INVOKE_BATCH)
          .flatMap(event -> BatchText.parse(event.texts().get(0)).stream())
          .forEach(write -> countWriter(write.value()));
    }
  }

  private void countWriter(String value) {
    writers.merge(String.valueOf(value), 1, Integer::sum);
  }

  /** Whether the value that was reported can only be the one of this invocation. */
  private boolean isKnown(List<TraceEvent> events, int invocation, String value) {
    return value != null
        && reported.contains(value)
        && writers.get(value) == 1
        && !wroteNothing(events, invocation);
  }

  private void corrupt(int run, int thread) {
    List<TraceEvent> events = trace.runs().get(run).threads().get(thread);
    for (int i = 0; i < events.size(); i++) {
      if (isInVain(events, i)) {
        continue;
      }
      if (!isFree(events, i)) {
        TraceEvent event = events.get(i);
        if (isMissed(events, i)) {
          add("drop", run, thread, i, i + 1, List.of());
        }
        add("repeat", run, thread, i, i, List.of(event));
        if (i + 1 < events.size()
            && !isFree(events, i + 1)
            && areDependent(event, events.get(i + 1))) {
          add("swap", run, thread, i, i + 2, List.of(events.get(i + 1), event));
        }
      }
      changeStamps(run, thread, i);
      changeTexts(run, thread, i);
    }
  }

  /** Whether the event belongs to an operation, an opening or a closing that failed. */
  private static boolean isInVain(List<TraceEvent> events, int i) {
    if (FAILING.contains(events.get(i).kind())) {
      return false;
    }
    if (events.get(i).kind() == Kind.OPEN_INCARNATION && i + 1 == events.size()) {
      return true;
    }
    for (int later = i + 1; later < events.size(); later++) {
      switch (events.get(later).kind()) {
        case FAIL_STORE, ANSWER_FAILURE -> {
          return true;
        }
        case CLOSE_LOG -> {
          return events.stream().noneMatch(event -> event.kind() == Kind.WRITE_CLOSE);
        }
        case INVOKE, INVOKE_BATCH, CLOSE_TIP, READ_VISIBLE -> {
          return false; // the operation had ended
        }
        default -> {
          // It goes on.
        }
      }
    }
    return false;
  }

  /** Whether the event may be missing, repeated or moved. */
  private static boolean isFree(List<TraceEvent> events, int i) {
    return switch (events.get(i).kind()) {
      case READ_VISIBLE -> true;
      // A force that ends a segment makes no difference.
      case FORCE_LOG ->
          i == 0 || events.get(i - 1).kind() != Kind.WRITE_FRAME || isFollowedByFrame(events, i);
      default -> false;
    };
  }

  private static boolean isFollowedByFrame(List<TraceEvent> events, int i) {
    return i + 1 < events.size() && events.get(i + 1).kind() == Kind.WRITE_FRAME;
  }

  /** Whether anything that comes after it depends on the event. */
  private static boolean isMissed(List<TraceEvent> events, int i) {
    List<TraceEvent> later = events.subList(i + 1, events.size());
    return switch (events.get(i).kind()) {
      case ANSWER, WITHDRAW, ANSWER_FAILURE, REFUSE_CLOSED, CLOSE_LOG ->
          later.stream().anyMatch(e -> INVOCATIONS.contains(e.kind()));
      // A recovery that ended there told nobody.
      case READ_LOG -> !later.isEmpty();
      // Without a force the closing frame may as well not have been to be had.
      case WRITE_CLOSE -> later.get(0).kind() == Kind.FORCE_LOG;
      default -> true;
    };
  }

  private static boolean areDependent(TraceEvent first, TraceEvent second) {
    return first.kind() != Kind.WAKE_SERVED || second.kind() != Kind.WAKE_SERVED;
  }

  private void changeStamps(int run, int thread, int i) {
    List<TraceEvent> events = trace.runs().get(run).threads().get(thread);
    TraceEvent event = events.get(i);
    boolean vague = OBSERVATIONS.contains(event.kind());
    for (int number = 0; number < event.numbers().size(); number++) {
      List<Long> changes = vague ? List.of(FAR) : List.of(-1L, 1L, FAR);
      for (long by : changes) {
        List<Long> numbers = new ArrayList<>(event.numbers());
        numbers.set(number, numbers.get(number) + by);
        TraceEvent changed =
            new TraceEvent(
                event.run(), event.thread(), event.number(), event.kind(), numbers, event.texts());
        add("stamp of", run, thread, i, i + 1, List.of(changed));
      }
    }
  }

  private void changeTexts(int run, int thread, int i) {
    List<TraceEvent> events = trace.runs().get(run).threads().get(thread);
    TraceEvent event = events.get(i);
    switch (event.kind()) {
      case ANSWER -> changeText(run, thread, i, 0, OTHER);
      case READ_VISIBLE -> {
        if (event.texts().get(0) != null) {
          changeText(run, thread, i, 1, OTHER);
        }
      }
      case INVOKE -> {
        if (isKnown(events, i, event.texts().get(3))) {
          changeText(run, thread, i, 3, OTHER);
        }
      }
      case INVOKE_BATCH -> {
        String batch = event.texts().get(0);
        BatchText.parse(batch).stream()
            .map(BatchText.Write::value)
            .filter(value -> isKnown(events, i, value))
            .forEach(
                value -> changeText(run, thread, i, 0, BatchText.replace(batch, value, OTHER)));
      }
      default -> {
        // Carries no value.
      }
    }
  }

  /** Whether an invocation came to nothing: then nobody can know what was to be written. */
  private static boolean wroteNothing(List<TraceEvent> events, int i) {
    Kind next = i + 1 < events.size() ? events.get(i + 1).kind() : Kind.WITHDRAW;
    return next == Kind.WITHDRAW || next == Kind.OBSERVE_NO_OP;
  }

  private void changeText(int run, int thread, int i, int text, String changedText) {
    TraceEvent event = trace.runs().get(run).threads().get(thread).get(i);
    List<String> texts = new ArrayList<>(event.texts());
    texts.set(text, changedText);
    TraceEvent changed =
        new TraceEvent(
            event.run(),
            event.thread(),
            event.number(),
            event.kind(),
            event.numbers(),
            Collections.unmodifiableList(texts));
    add("value of", run, thread, i, i + 1, List.of(changed));
  }

  /** Replaces the events {@code from} (inclusive) to {@code to} (exclusive) of a thread. */
  private void add(
      String change, int run, int thread, int from, int to, List<TraceEvent> replacement) {
    Trace.Run old = trace.runs().get(run);
    List<TraceEvent> events = new ArrayList<>(old.threads().get(thread));
    TraceEvent event = events.get(from);
    events.subList(from, to).clear();
    events.addAll(from, replacement);
    List<List<TraceEvent>> threads = new ArrayList<>(old.threads());
    threads.set(thread, events);
    threads.removeIf(List::isEmpty);
    List<Trace.Run> runs = new ArrayList<>(trace.runs());
    runs.set(run, new Trace.Run(old.number(), threads, old.closed()));
    corrupted.add(new Corrupted(change + " " + event.action(), event, new Trace(runs)));
  }
}
