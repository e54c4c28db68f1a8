package org.overlaytrie.conformance.trace;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.overlaytrie.conformance.trace.TraceEvent.Entry;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Steps that a killed process took and did not get to record.
 *
 * <p>Each thread of a killed process may have taken one step more than it recorded. Such a step is
 * added where another thread, or the recovery that followed, saw its effect; where nobody did, it
 * might as well not have happened. A step that fits no thread's end is not added, and the trace is
 * rejected for what is missing.
 */
final class HiddenSteps {
  private final Trace.Run run;
  private final List<List<TraceEvent>> threads = new ArrayList<>();

  private HiddenSteps(Trace.Run run) {
    this.run = run;
    for (List<TraceEvent> events : run.threads()) {
      threads.add(new ArrayList<>(events));
    }
  }

  /**
   * The run with the steps that must have happened. In a run that was closed none is missing, but
   * for a frame whose writing was reported as a failure.
   *
   * @param incarnation the last incarnation before this run
   * @param next the run that followed; null if there is none
   */
  static Trace.Run complete(Trace.Run run, long incarnation, Trace.Run next) {
    HiddenSteps hidden = new HiddenSteps(run);
    if (next != null) {
      hidden.writeFrame(next);
    }
    if (!run.closed()) {
      hidden.enqueue();
      hidden.releaseLeadership();
      hidden.becomeLeader();
      hidden.dropUnexplainedPark();
      if (next != null) {
        hidden.openIncarnation(incarnation, next);
      }
      hidden.makeVisible();
      hidden.failStore();
      hidden.commitVersion();
      hidden.closeTip();
    }
    return new Trace.Run(run.number(), List.copyOf(hidden.threads), run.closed());
  }

  /** An entry was found on the stack: its thread pushed it. */
  private void enqueue() {
    Set<Entry> pushed = new HashSet<>();
    of(Kind.ENQUEUE).forEach(event -> pushed.addAll(event.entries()));
    of(Kind.DRAIN_WAITERS)
        .flatMap(event -> event.entries().stream())
        .filter(entry -> !pushed.contains(entry))
        .forEach(
            entry -> {
              for (List<TraceEvent> events : threads) {
                Kind last = last(events).kind();
                if (last(events).thread() == entry.thread()
                    && (last == Kind.COMMIT_VERSION
                        || last == Kind.REQUEST_SYNC
                        || last == Kind.OBSERVE_NO_OP
                        || last == Kind.CLOSE_TIP)) {
                  add(events, Kind.ENQUEUE, entry.lsn());
                }
              }
            });
  }

  /** Somebody took the leadership under a term that follows a release. */
  private void releaseLeadership() {
    Set<Long> terms = terms();
    of(Kind.BECOME_LEADER)
        .map(event -> event.term() - 1)
        .filter(free -> free > 0 && !terms.contains(free))
        .toList()
        .forEach(
            free -> {
              for (List<TraceEvent> events : threads) {
                Kind last = last(events).kind();
                if (leadingTerm(events) == free - 1
                    && (last == Kind.DRAIN_WAITERS || last == Kind.WAKE_SERVED)) {
                  add(events, Kind.RELEASE_LEADERSHIP, free);
                }
              }
            });
  }

  /**
   * A thread went to sleep for good after it saw a term whose writer died first: nobody depends on
   * that last event.
   */
  private void dropUnexplainedPark() {
    Set<Long> terms = terms();
    for (List<TraceEvent> events : threads) {
      TraceEvent last = last(events);
      if (last.kind() == Kind.PARK && !terms.contains(last.term() | 1)) {
        events.remove(events.size() - 1);
      }
    }
  }

  /** The next recovery found one incarnation more than was recorded. */
  private void openIncarnation(long before, Trace.Run next) {
    boolean skipped = next.events(Kind.OPEN_INCARNATION).anyMatch(e -> e.number(0) == before + 2);
    for (List<TraceEvent> events : threads) {
      if (skipped && last(events).kind() == Kind.READ_LOG) {
        add(events, Kind.OPEN_INCARNATION, before + 1);
      }
    }
  }

  /** The next recovery found more than was recorded as written. */
  private void writeFrame(Trace.Run next) {
    long read = next.events(Kind.READ_LOG).mapToLong(TraceEvent::lsn).max().orElse(0);
    long written =
        Stream.of(Kind.FINISH_RECOVERY, Kind.WRITE_FRAME)
            .flatMap(this::of)
            .mapToLong(TraceEvent::lsn)
            .max()
            .orElse(Long.MAX_VALUE);
    long incarnation = of(Kind.OPEN_INCARNATION).mapToLong(e -> e.number(0)).max().orElse(0);
    for (List<TraceEvent> events : threads) {
      int end = events.size();
      for (int i = 0; i < events.size(); i++) {
        if (events.get(i).kind() == Kind.FAIL_STORE) {
          end = i;
        }
      }
      Kind last = end > 0 ? events.get(end - 1).kind() : null;
      boolean mayBeMissing = end < events.size() || !run.closed();
      if (read > written
          && mayBeMissing
          && (last == Kind.COLLECT_BATCH || last == Kind.WRITE_FRAME)) {
        long thread = events.get(0).thread();
        events.add(
            end,
            TraceEvent.inferred(
                run.number(), thread, Kind.WRITE_FRAME, incarnation, written + 1, read));
      }
    }
  }

  /** Somebody saw more than was seen made visible. */
  private void makeVisible() {
    long seen =
        Stream.of(Kind.READ_VISIBLE, Kind.RECHECK_VISIBLE)
            .flatMap(this::of)
            .mapToLong(TraceEvent::lsn)
            .max()
            .orElse(0);
    if (of(Kind.WRITE_CLOSE).findAny().isPresent()) {
      seen = ProtocolEvents.NEVER;
    }
    for (List<TraceEvent> events : threads) {
      long operation = 0;
      for (TraceEvent event : events) {
        if (event.kind() == Kind.COMMIT_VERSION
            || event.kind() == Kind.OBSERVE_NO_OP
            || event.kind() == Kind.REQUEST_SYNC) {
          operation = event.lsn();
        } else if (event.kind() == Kind.ANSWER) {
          seen = Math.max(seen, operation);
        }
      }
    }
    long visible =
        Stream.of(Kind.FINISH_RECOVERY, Kind.MAKE_VISIBLE)
            .flatMap(this::of)
            .mapToLong(TraceEvent::lsn)
            .max()
            .orElse(Long.MAX_VALUE);
    for (List<TraceEvent> events : threads) {
      TraceEvent last = last(events);
      long collected = lastCollected(events);
      if (seen > visible
          && collected >= seen
          && switch (last.kind()) {
            case FORCE_LOG -> last.lsn() >= Math.min(seen, seenTip());
            case COLLECT_BATCH -> collected == ProtocolEvents.NEVER;
            default -> false;
          }) {
        add(events, Kind.MAKE_VISIBLE, collected);
      }
    }
  }

  private static long lastCollected(List<TraceEvent> events) {
    return events.stream()
        .filter(event -> event.kind() == Kind.COLLECT_BATCH)
        .reduce((first, second) -> second)
        .map(TraceEvent::lsn)
        .orElse(0L);
  }

  /** Somebody was told of a failure. */
  private void failStore() {
    boolean gaveUp =
        of(Kind.CLOSE_LOG).findAny().isPresent()
            && of(Kind.MAKE_VISIBLE).noneMatch(event -> event.lsn() == ProtocolEvents.NEVER);
    boolean told = gaveUp || of(Kind.ANSWER_FAILURE).findAny().isPresent();
    long term = threads.stream().mapToLong(this::leadingTerm).max().orElse(0);
    if (told && of(Kind.FAIL_STORE).findAny().isEmpty()) {
      for (List<TraceEvent> events : threads) {
        if (term > 0 && leadingTerm(events) == term) {
          add(events, Kind.FAIL_STORE);
        }
      }
    }
  }

  /**
   * An LSN was seen that no thread recorded as its own: one of those that had just invoked their
   * operation got it. Which of them is left to the specification.
   */
  private void commitVersion() {
    TreeSet<Long> missing = new TreeSet<>();
    of(Kind.FINISH_RECOVERY)
        .forEach(
            base -> {
              for (long lsn = base.lsn() + 1; lsn <= seenTip(); lsn++) {
                missing.add(lsn);
              }
            });
    of(Kind.COMMIT_VERSION).forEach(event -> missing.remove(event.lsn()));
    if (missing.size() <= candidates(run, Kind.COMMIT_VERSION).size()) {
      for (long lsn : missing) {
        addOfUnknown(Kind.COMMIT_VERSION, lsn);
      }
    }
  }

  /** Somebody was seen to lead after the last leader that was recorded. */
  private void becomeLeader() {
    long term = terms().stream().mapToLong(Long::longValue).max().orElse(0) + 1;
    boolean seen =
        of(Kind.PARK).anyMatch(event -> (event.term() | 1) == term)
            || threads.stream().anyMatch(events -> leftItToAnother(events, term - 1));
    if (seen && term % 2 == 1 && !candidates(run, Kind.BECOME_LEADER).isEmpty()) {
      addOfUnknown(Kind.BECOME_LEADER, term);
    }
  }

  /** Whether a thread released under this term, found the tip moved, and did not lead again. */
  private static boolean leftItToAnother(List<TraceEvent> events, long term) {
    long collected = 0;
    long released = 0;
    for (int i = 0; i + 1 < events.size(); i++) {
      TraceEvent event = events.get(i);
      switch (event.kind()) {
        case COLLECT_BATCH -> collected = event.lsn();
        case RELEASE_LEADERSHIP -> released = event.term();
        case RECHECK_TIP -> {
          if (released == term
              && event.lsn() > collected
              && events.get(i + 1).kind() != Kind.BECOME_LEADER) {
            return true;
          }
        }
        default -> {
          // Tells nothing.
        }
      }
    }
    return false;
  }

  /** The threads whose last recorded event lets them take a step of this kind next. */
  static List<Long> candidates(Trace.Run run, Kind kind) {
    Set<Kind> before =
        kind == Kind.COMMIT_VERSION
            ? Set.of(Kind.INVOKE, Kind.INVOKE_BATCH)
            : Set.of(
                Kind.COMMIT_VERSION,
                Kind.OBSERVE_NO_OP,
                Kind.REQUEST_SYNC,
                Kind.CLOSE_TIP,
                Kind.RECHECK_VISIBLE,
                Kind.RECHECK_TIP,
                Kind.RECHECK_STACK);
    return run.threads().stream()
        .map(HiddenSteps::last)
        .filter(event -> event.thread() != TraceEvent.UNKNOWN && before.contains(event.kind()))
        .map(TraceEvent::thread)
        .toList();
  }

  private void addOfUnknown(Kind kind, long number) {
    threads.add(List.of(TraceEvent.inferred(run.number(), TraceEvent.UNKNOWN, kind, number)));
  }

  /**
   * The tip was seen closed, and nobody recorded that: a thread did that recorded nothing at all.
   */
  private void closeTip() {
    boolean seen =
        of(Kind.REFUSE_CLOSED).findAny().isPresent()
            || Stream.of(Kind.COLLECT_BATCH, Kind.RECHECK_TIP)
                .flatMap(this::of)
                .anyMatch(event -> event.lsn() == ProtocolEvents.NEVER);
    if (seen && of(Kind.CLOSE_TIP).findAny().isEmpty()) {
      threads.add(
          List.of(TraceEvent.inferred(run.number(), TraceEvent.SILENT, Kind.CLOSE_TIP, seenTip())));
    }
  }

  /** The greatest LSN that the tip was seen to have. */
  private long seenTip() {
    return Stream.of(
            Kind.FINISH_RECOVERY,
            Kind.COMMIT_VERSION,
            Kind.OBSERVE_NO_OP,
            Kind.COLLECT_BATCH,
            Kind.WRITE_FRAME,
            Kind.RECHECK_TIP,
            Kind.CLOSE_TIP)
        .flatMap(this::of)
        .mapToLong(TraceEvent::lsn)
        .filter(lsn -> lsn != ProtocolEvents.NEVER)
        .max()
        .orElse(0);
  }

  /** The terms that somebody set. */
  private Set<Long> terms() {
    return Stream.of(Kind.BECOME_LEADER, Kind.HAND_OVER, Kind.RELEASE_LEADERSHIP)
        .flatMap(this::of)
        .map(TraceEvent::term)
        .collect(toCollection(TreeSet::new));
  }

  /** The last term under which a thread led, 0 if none. */
  private long leadingTerm(List<TraceEvent> events) {
    long thread = events.get(0).thread();
    return Stream.of(Kind.BECOME_LEADER, Kind.HAND_OVER)
        .flatMap(this::of)
        .filter(
            event ->
                event.kind() == Kind.BECOME_LEADER
                    ? event.thread() == thread
                    : event.entries().get(0).thread() == thread)
        .mapToLong(TraceEvent::term)
        .max()
        .orElse(0);
  }

  private Stream<TraceEvent> of(Kind kind) {
    return threads.stream().flatMap(List::stream).filter(event -> event.kind() == kind);
  }

  private void add(List<TraceEvent> events, Kind kind, Long... numbers) {
    events.add(TraceEvent.inferred(run.number(), events.get(0).thread(), kind, numbers));
  }

  private static TraceEvent last(List<TraceEvent> events) {
    return events.get(events.size() - 1);
  }
}
