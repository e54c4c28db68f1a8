package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.overlaytrie.conformance.trace.TraceEvent.Entry;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Turns a trace into the steps of one behaviour of {@code SequencedCommit}: run after run, with a
 * crash between two runs (a store that was closed in order is one that crashed when nothing was
 * under way).
 */
final class Linearizer {
  private final List<Line> lines = new ArrayList<>();
  private final Set<Entry> pending = new LinkedHashSet<>();
  private final Map<Long, String> stages = new HashMap<>();
  private final TreeSet<String> freeStages = new TreeSet<>();
  private Writers writers;
  private boolean failed;
  private long incarnation;

  private Linearizer() {}

  /**
   * All steps.
   *
   * @throws TraceProblem if no order of the events explains them
   */
  static List<Line> linearize(Trace trace) throws TraceProblem {
    Linearizer linearizer = new Linearizer();
    List<Trace.Run> runs = trace.runs().stream().filter(run -> !run.threads().isEmpty()).toList();
    for (int i = 0; i < runs.size(); i++) {
      Trace.Run next = i + 1 < runs.size() ? runs.get(i + 1) : null;
      Trace.Run whole = HiddenSteps.complete(runs.get(i), linearizer.incarnation, next);
      linearizer.addRun(whole);
      if (next != null) {
        linearizer.addCrash(next);
      }
    }
    linearizer.addOrigin(runs);
    return linearizer.lines;
  }

  /** A store that had a history when its first recorded run began. */
  private void addOrigin(List<Trace.Run> runs) {
    long read = first(runs, Kind.READ_LOG, 0);
    long opened = first(runs, Kind.OPEN_INCARNATION, 1);
    if (read > 0 || opened > 1) {
      lines.add(0, Origin.of(lines, read, opened - 1));
    }
  }

  private static long first(List<Trace.Run> runs, Kind kind, long otherwise) {
    return runs.stream()
        .flatMap(run -> run.events(kind))
        .mapToLong(event -> event.number(0))
        .findFirst()
        .orElse(otherwise);
  }

  private void addRun(Trace.Run run) throws TraceProblem {
    pending.clear();
    freeStages.addAll(stages.values());
    stages.clear();
    failed = false;
    List<TraceEvent> order = LinearExtension.of(run);
    writers = new Writers(order);
    for (TraceEvent event : order) {
      addEvent(run, event);
      writers.passed();
    }
  }

  private void addCrash(Trace.Run next) {
    long read = next.events(Kind.READ_LOG).mapToLong(TraceEvent::lsn).max().orElse(0);
    add("Crash", "the end of the run before run " + next.number(), "lsn", read);
  }

  private void addEvent(Trace.Run run, TraceEvent event) {
    switch (event.kind()) {
      case INVOKE ->
          add(
              event,
              "kind",
              event.texts().get(0),
              "key",
              event.texts().get(1),
              "expected",
              event.texts().get(2),
              "value",
              event.texts().get(3));
      case INVOKE_BATCH -> add(event, "kind", "BATCH", "writes", event.texts().get(0));
      case COMMIT_VERSION -> addOfOneOf(run, event, "lsn", event.lsn());
      case BECOME_LEADER -> addOfOneOf(run, event, "term", event.term());
      case READ_VISIBLE, READ_TIP -> addRead(event);
      case LEAVE_STAGE -> add(event, "stage", leaveStage(event.number(0)));
      case COMPLETE_STAGE ->
          addUnthreaded(
              event, "stage", endStage(event.number(0)), "previous", event.texts().get(0));
      case FAIL_STAGE -> addUnthreaded(event, "stage", endStage(event.number(0)));
      case ANSWER_UNFORCED -> add(event, "previous", event.texts().get(0));
      case RECHECK_STACK -> add(event);
      // An even term was free when it was read and lost to the next one in the CAS that followed.
      case PARK -> add(event, "term", event.term() | 1);
      case WRITE_FRAME ->
          add(event, "incarnation", event.number(0), "first", event.number(1), "lsn", event.lsn());
      case DRAIN_WAITERS -> addDrain(event);
      case WAKE_SERVED -> {
        pending.removeAll(event.entries());
        add(event, "waiter", waiter(event.entries().get(0)));
      }
      case HAND_OVER -> {
        pending.removeAll(event.entries());
        add(event, "waiter", waiter(event.entries().get(0)), "term", event.term());
      }
      case RELEASE_LEADERSHIP -> add(event, "term", event.term());
      case ANSWER -> add(event, "previous", event.texts().get(0));
      case FAIL_STORE -> {
        failed = true;
        add(event);
      }
      case WITHDRAW, ANSWER_FAILURE, REFUSE_CLOSED, CLOSE_LOG -> add(event);
      case READ_LOG -> {
        addUnthreaded(event, "lsn", event.lsn());
        if (run.events(Kind.OPEN_INCARNATION).findAny().isPresent()) {
          add("RewriteTail", "recovery of run " + run.number());
          add("ForceTail", "recovery of run " + run.number());
        }
      }
      case OPEN_INCARNATION -> {
        incarnation = event.number(0);
        addUnthreaded(event, "incarnation", incarnation);
      }
      case FINISH_RECOVERY -> addUnthreaded(event, "lsn", event.lsn());
      case OBSERVE_NO_OP,
          REQUEST_SYNC,
          ENQUEUE,
          RECHECK_VISIBLE,
          COLLECT_BATCH,
          FORCE_LOG,
          MAKE_VISIBLE,
          RECHECK_TIP,
          CLOSE_TIP,
          WRITE_CLOSE ->
          add(event, "lsn", event.lsn());
      case CLOSE -> throw new IllegalStateException("not a step: " + event);
    }
  }

  /** Names for stages are given again too. */
  private String leaveStage(long number) {
    String free = freeStages.pollFirst();
    String name = free != null ? free : "s" + (stages.size() + 1);
    stages.put(number, name);
    return name;
  }

  private String endStage(long number) {
    String name = stages.remove(number);
    freeStages.add(name);
    return name;
  }

  private void addRead(TraceEvent event) {
    if (event.texts().get(0) == null) {
      addUnthreaded(event, "lsn", event.lsn());
    } else {
      addUnthreaded(
          event, "lsn", event.lsn(), "key", event.texts().get(0), "result", event.texts().get(1));
    }
  }

  /** After a failure everybody on the stack is let go at once, which is not recorded one by one. */
  private void addDrain(TraceEvent event) {
    List<Entry> entries = event.entries();
    add(event, "waiters", entries.stream().map(this::waiter).collect(Collectors.joining(",")));
    pending.addAll(entries);
    if (failed) {
      for (Entry entry : pending) {
        add("WakeServed", event, "thread", writers.of(event.thread()), "waiter", waiter(entry));
      }
      pending.clear();
    }
  }

  /** A step of a thread, or of one of those that may have taken it without recording it. */
  private void addOfOneOf(Trace.Run run, TraceEvent event, String name, long value) {
    String threads =
        event.thread() == TraceEvent.UNKNOWN
            ? HiddenSteps.candidates(run, event.kind()).stream()
                .map(writers::of)
                .collect(Collectors.joining(","))
            : writers.of(event.thread());
    add(event.action(), event, "threads", threads, name, value);
  }

  private void addUnthreaded(TraceEvent event, Object... fields) {
    add(event.action(), event, fields);
  }

  private void add(TraceEvent event, Object... fields) {
    Object[] all = new Object[fields.length + 2];
    all[0] = "thread";
    all[1] = writers.of(event.thread());
    System.arraycopy(fields, 0, all, 2, fields.length);
    add(event.action(), event, all);
  }

  private void add(String action, Object source, Object... fields) {
    lines.add(Line.of(action, source, fields));
  }

  private String waiter(Entry entry) {
    return writers.of(entry.thread()) + ":" + entry.lsn();
  }
}
