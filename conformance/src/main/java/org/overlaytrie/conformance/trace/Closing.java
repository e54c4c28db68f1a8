package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.overlaytrie.conformance.trace.TraceEvent.Entry;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * Tells the closing of a store in the words of the specification, which leaves it out.
 *
 * <p>The closing thread waits until the last version is visible, as an operation does that changes
 * nothing in it: it becomes one, on a key of its own. Then it takes the leadership for good: it
 * becomes the leader of another such operation, which never goes on. If it must wait for the
 * leadership, nothing comes of its entry on the stack but the hand-over, which becomes a release by
 * the one and an acquisition by the other. A leader that leads once more for the sake of the
 * closing thread alone does so in such an operation too, its own being answered before.
 *
 * <p>An operation that finds the store closed is invoked and nothing else: it is left out.
 */
final class Closing {
  /** The key of the operations that stand for closing; no key is shown with a space. */
  static final String KEY = "closing thread";

  private enum State {
    IDLE,
    OPERATING,
    WAITS,
    LEADS
  }

  private final Trace.Run run;
  private final long tip;

  private Closing(Trace.Run run) {
    this.run = run;
    this.tip =
        Stream.of(Kind.FINISH_RECOVERY, Kind.COMMIT_VERSION)
            .flatMap(run::events)
            .mapToLong(TraceEvent::lsn)
            .max()
            .orElse(0);
  }

  /** The run as the specification can tell it. */
  static Trace.Run asOperations(Trace.Run run) {
    Closing closing = new Closing(run);
    return new Trace.Run(
        run.number(),
        run.threads().stream().map(events -> closing.retell(withoutRefused(events))).toList(),
        run.closed());
  }

  /**
   * Leaves out all but the first invocation after the thread's last operation that got anywhere.
   */
  private static List<TraceEvent> withoutRefused(List<TraceEvent> events) {
    int end = events.size();
    while (end > 0
        && (events.get(end - 1).kind() == Kind.INVOKE
            || events.get(end - 1).kind() == Kind.READ_VISIBLE)) {
      end--;
    }
    List<TraceEvent> kept = new ArrayList<>(events.subList(0, end));
    boolean invoked = false;
    for (TraceEvent event : events.subList(end, events.size())) {
      if (event.kind() == Kind.READ_VISIBLE || !invoked) {
        kept.add(event);
      }
      invoked |= event.kind() == Kind.INVOKE;
    }
    return kept;
  }

  private List<TraceEvent> retell(List<TraceEvent> events) {
    List<TraceEvent> told = new ArrayList<>(events.size());
    State state = State.IDLE;
    int answeredBefore = -1;
    for (int i = 0; i < events.size(); i++) {
      TraceEvent event = events.get(i);
      Kind kind = event.kind();
      Kind next = i + 1 < events.size() ? events.get(i + 1).kind() : null;
      boolean forGood =
          (kind == Kind.ENQUEUE && event.lsn() == TraceEvent.NEVER)
              || (kind == Kind.BECOME_LEADER && next != Kind.COLLECT_BATCH);
      if (kind == Kind.INVOKE) {
        state = State.OPERATING;
      } else if (kind == Kind.ANSWER || kind == Kind.ANSWER_FAILURE) {
        state = State.IDLE;
      } else if (forGood && (state == State.IDLE || state == State.WAITS)) {
        if (state == State.WAITS) {
          told.add(added(event, Kind.ANSWER));
        }
        beginOperation(event, told);
        state = State.LEADS;
      } else if (state == State.IDLE && (kind == Kind.ENQUEUE || kind == Kind.BECOME_LEADER)) {
        beginOperation(event, told);
        state = State.WAITS;
      } else if (leadsAgainForCloser(events, i)) {
        boolean answered = answeredBefore > i;
        answeredBefore = indexOf(Kind.ANSWER, events, i);
        told.add(
            answered || answeredBefore < 0
                ? added(event, Kind.ANSWER)
                : events.get(answeredBefore));
        beginOperation(event, told);
      }
      retell(i == answeredBefore ? added(event, Kind.ANSWER) : event, state, told);
    }
    return told;
  }

  /** Whether a thread becomes the leader here although it found nothing new to flush. */
  private static boolean leadsAgainForCloser(List<TraceEvent> events, int i) {
    if (events.get(i).kind() != Kind.BECOME_LEADER
        || i == 0
        || events.get(i - 1).kind() != Kind.RECHECK_TIP) {
      return false;
    }
    int collect = i - 1;
    while (collect > 0 && events.get(collect).kind() != Kind.COLLECT_BATCH) {
      collect--;
    }
    return events.get(collect).kind() == Kind.COLLECT_BATCH
        && events.get(collect).lsn() == events.get(i - 1).lsn();
  }

  private static int indexOf(Kind kind, List<TraceEvent> events, int from) {
    for (int i = from; i < events.size(); i++) {
      if (events.get(i).kind() == kind) {
        return i;
      }
    }
    return -1;
  }

  private void beginOperation(TraceEvent event, List<TraceEvent> told) {
    told.add(added(event, Kind.INVOKE));
    told.add(added(event, Kind.OBSERVE_NO_OP, tip));
  }

  private void retell(TraceEvent event, State state, List<TraceEvent> told) {
    if (state == State.LEADS) {
      if (event.kind() == Kind.BECOME_LEADER || event.kind() == Kind.READ_VISIBLE) {
        told.add(event);
      } else if (event.kind() == Kind.ENQUEUE) {
        run.events(Kind.HAND_OVER)
            .filter(handOver -> handOver.entries().equals(event.entries()))
            .forEach(handOver -> told.add(added(event, Kind.BECOME_LEADER, handOver.term())));
      }
    } else if (event.kind() == Kind.HAND_OVER && event.lsn() == TraceEvent.NEVER) {
      told.add(added(event, Kind.RELEASE_LEADERSHIP, event.term() - 1));
      told.add(added(event, Kind.RECHECK_TIP, tip));
    } else if (event.kind() == Kind.DRAIN_WAITERS) {
      told.add(withoutClosing(event));
    } else {
      told.add(event);
    }
  }

  private static TraceEvent withoutClosing(TraceEvent drain) {
    List<Entry> entries =
        drain.entries().stream().filter(entry -> entry.lsn() != TraceEvent.NEVER).toList();
    List<Long> numbers = new ArrayList<>(entries.stream().map(Entry::thread).toList());
    numbers.addAll(entries.stream().map(Entry::lsn).toList());
    return new TraceEvent(
        drain.run(), drain.thread(), drain.number(), drain.kind(), numbers, drain.texts());
  }

  private static TraceEvent added(TraceEvent beside, Kind kind, Long... numbers) {
    return switch (kind) {
      case INVOKE ->
          new TraceEvent(
              beside.run(),
              beside.thread(),
              0,
              kind,
              List.of(),
              Arrays.asList(OperationKind.REMOVE.name(), KEY, null, null));
      case ANSWER ->
          new TraceEvent(
              beside.run(), beside.thread(), 0, kind, List.of(), Arrays.asList((String) null));
      default -> TraceEvent.inferred(beside.run(), beside.thread(), kind, numbers);
    };
  }
}
