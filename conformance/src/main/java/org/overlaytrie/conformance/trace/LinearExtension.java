package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.overlaytrie.conformance.trace.TraceEvent.Entry;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder.Kind;

/**
 * The order of one run's events, found without a clock.
 *
 * <p>An event is recorded before or after the step that it stands for, never at the same time, so
 * when it was recorded says nothing. What does:
 *
 * <ul>
 *   <li>the order of each thread's own events;
 *   <li>the values of the three variables that only grow (the tip's LSN, the visible LSN, the
 *       leadership term): each value is written once, and who saw it did so after its writer and
 *       before the next writer;
 *   <li>the stack of waiters: an entry was pushed before the drain that lists it, before the
 *       entries that are above it, and after the drain before that one;
 *   <li>hand-overs: the new leader leads after it was promoted;
 *   <li>failure: whoever failed because of it came after it; recovery: everything comes after it.
 * </ul>
 *
 * Whether a waiter went on because it was woken or because it looked by itself is not recorded;
 * where possible it goes on after the wake-up.
 */
final class LinearExtension {
  private final EventGraph graph = new EventGraph();
  private final Register tip = new Register("the tip's LSN", graph);
  private final Register visible = new Register("the visible LSN", graph);
  private final Register term = new Register("the leadership's term", graph);
  private final List<List<Integer>> threads = new ArrayList<>();
  private final Map<Entry, Integer> enqueues = new HashMap<>();
  private final Map<Entry, Integer> handOvers = new HashMap<>();
  private final Map<Entry, Integer> wakes = new HashMap<>();
  private final TreeMap<Long, List<Integer>> drains = new TreeMap<>();
  private List<Integer> undrained = List.of();
  private final Map<Long, Integer> stages = new HashMap<>();
  private final Map<Long, Long> stageLsns = new HashMap<>();
  private int recovered = -1;
  private int failed = -1;
  private boolean closedBecameVisible;

  private LinearExtension() {}

  /**
   * One order of all events of {@code run} that respects all of the above.
   *
   * @throws TraceProblem if there is none
   */
  static List<TraceEvent> of(Trace.Run run) throws TraceProblem {
    LinearExtension extension = new LinearExtension();
    for (List<TraceEvent> events : run.threads()) {
      extension.addThread(events);
    }
    extension.addWriters();
    for (List<Integer> nodes : extension.threads) {
      extension.new Reader(nodes).read();
    }
    extension.addDrains();
    extension.addStackRechecks();
    return extension.graph.order();
  }

  private void addThread(List<TraceEvent> events) {
    List<Integer> nodes = new ArrayList<>(events.size());
    for (TraceEvent event : events) {
      int node = graph.add(event);
      if (!nodes.isEmpty()) {
        graph.before(nodes.get(nodes.size() - 1), node);
      }
      nodes.add(node);
    }
    threads.add(nodes);
  }

  /** Everything that others may have seen. */
  private void addWriters() throws TraceProblem {
    for (List<Integer> nodes : threads) {
      long dependsOn = 0;
      for (int node : nodes) {
        TraceEvent event = graph.event(node);
        switch (event.kind()) {
          case OBSERVE_NO_OP, REQUEST_SYNC -> dependsOn = event.lsn();
          case LEAVE_STAGE -> {
            only(stages.getOrDefault(event.number(0), -1), node);
            stages.put(event.number(0), node);
            stageLsns.put(event.number(0), dependsOn);
          }
          case FINISH_RECOVERY -> {
            recovered = only(recovered, node);
            tip.write(event.lsn(), node);
            visible.write(event.lsn(), node);
            term.write(0, node);
          }
          case COMMIT_VERSION -> {
            dependsOn = event.lsn();
            tip.write(event.lsn(), node);
          }
          case CLOSE_TIP -> tip.write(ProtocolEvents.NEVER, node);
          case MAKE_VISIBLE -> {
            visible.write(event.lsn(), node);
            closedBecameVisible |= event.lsn() == ProtocolEvents.NEVER;
          }
          case BECOME_LEADER, RELEASE_LEADERSHIP -> term.write(event.term(), node);
          case HAND_OVER -> {
            term.write(event.term(), node);
            putOnce(handOvers, event.entries().get(0), node);
          }
          case ENQUEUE -> putOnce(enqueues, event.entries().get(0), node);
          case WAKE_SERVED -> putOnce(wakes, event.entries().get(0), node);
          case FAIL_STORE -> failed = only(failed, node);
          default -> {
            // Nobody else sees it.
          }
        }
        if (event.thread() == TraceEvent.UNKNOWN) {
          graph.asLateAsPossible(node);
        }
      }
    }
    tip.orderWriters();
    visible.orderWriters();
    term.orderWriters();
    for (List<Integer> nodes : threads) {
      if (recovered >= 0 && graph.event(nodes.get(0)).thread() != graph.event(recovered).thread()) {
        graph.before(recovered, nodes.get(0));
      }
    }
  }

  private void putOnce(Map<Entry, Integer> map, Entry entry, int node) throws TraceProblem {
    only(map.getOrDefault(entry, -1), node);
    map.put(entry, node);
  }

  private int only(int seen, int node) throws TraceProblem {
    if (seen >= 0) {
      throw new TraceProblem(
          "this can happen only once", List.of(graph.event(seen), graph.event(node)));
    }
    return node;
  }

  /** What one thread saw of the others. */
  private final class Reader {
    private final List<Integer> nodes;
    private long operationLsn = -1;
    private Entry entry;
    private Kind before;
    private long leading = -1;
    private long collected;

    Reader(List<Integer> nodes) {
      this.nodes = nodes;
    }

    void read() throws TraceProblem {
      for (int i = 0; i < nodes.size(); i++) {
        int node = nodes.get(i);
        read(node, i + 1 < nodes.size() ? nodes.get(i + 1) : -1);
        before = graph.event(node).kind();
      }
    }

    private void read(int node, int next) throws TraceProblem {
      TraceEvent event = graph.event(node);
      switch (event.kind()) {
        case INVOKE, INVOKE_BATCH, CLOSE_TIP -> {
          operationLsn = -1;
          entry = null;
        }
        case COMMIT_VERSION -> operationLsn = event.lsn();
        case REQUEST_SYNC -> {
          operationLsn = event.lsn();
          entry = null;
          tip.readAtLeast(event.lsn(), node);
        }
        case READ_TIP -> tip.read(event.lsn(), node);
        case ANSWER_UNFORCED -> {
          if (failed >= 0) {
            graph.before(node, failed);
          }
        }
        case COMPLETE_STAGE -> {
          graph.before(need(stages.get(event.number(0)), "nobody left this stage", node), node);
          visible.readAtLeast(stageLsns.get(event.number(0)), node);
        }
        case FAIL_STAGE -> {
          graph.before(need(stages.get(event.number(0)), "nobody left this stage", node), node);
          graph.before(need(failed, "no event failed the store", node), node);
        }
        case RECHECK_STACK -> stackRechecks.add(new StackRecheck(node, next, leading));
        case OBSERVE_NO_OP -> {
          operationLsn = event.lsn();
          tip.read(event.lsn(), node);
        }
        case READ_VISIBLE -> visible.read(event.lsn(), node);
        case RECHECK_VISIBLE -> {
          visible.read(event.lsn(), node);
          if (failed >= 0) {
            graph.before(node, failed);
          }
        }
        // An even term was free when it was read and lost to the next one in the CAS that followed.
        case PARK -> term.read(event.term() | 1, node);
        case ENQUEUE -> entry = event.entries().get(0);
        case BECOME_LEADER -> leading = event.term();
        case COLLECT_BATCH -> collectBatch(event, node);
        case DRAIN_WAITERS -> drains.computeIfAbsent(leading, t -> new ArrayList<>()).add(node);
        case RECHECK_TIP -> recheckTip(event, node, next);
        case ANSWER -> answer(event, node);
        case REFUSE_CLOSED -> tip.readAtLeast(ProtocolEvents.NEVER, node);
        case WRITE_CLOSE -> visible.readAtLeast(ProtocolEvents.NEVER, node);
        case CLOSE_LOG -> {
          if (closedBecameVisible) {
            visible.readAtLeast(ProtocolEvents.NEVER, node);
          } else {
            graph.before(need(failed, "no event failed the store", node), node);
          }
        }
        case ANSWER_FAILURE -> graph.before(need(failed, "no event failed the store", node), node);
        default -> {
          // Saw nothing of the others.
        }
      }
    }

    private void collectBatch(TraceEvent event, int node) throws TraceProblem {
      if (before != Kind.BECOME_LEADER) {
        int handOver = need(entry == null ? null : handOvers.get(entry), "leads unasked", node);
        graph.before(handOver, node);
        leading = graph.event(handOver).term();
      }
      collected = event.lsn();
      tip.read(collected, node);
    }

    /** The tip had moved on: then this thread leads again, or another does. */
    private void recheckTip(TraceEvent event, int node, int next) throws TraceProblem {
      tip.read(event.lsn(), node);
      if (event.lsn() > collected && next >= 0) {
        if (graph.event(next).kind() == Kind.BECOME_LEADER) {
          visible.readBelow(event.lsn(), node);
        } else {
          term.readAtLeast(leading + 2, next);
        }
      }
    }

    private void answer(TraceEvent event, int node) throws TraceProblem {
      if (operationLsn < 0) {
        throw new TraceProblem("answers what took no effect", List.of(event));
      }
      visible.readAtLeast(operationLsn, node);
      Integer wake = entry == null ? null : wakes.get(entry);
      if (wake != null) {
        graph.preferablyBefore(wake, node);
      }
    }
  }

  /** A leader of this term released and looked at the stack; then came the next event, if any. */
  private record StackRecheck(int node, int next, long term) {}

  private final List<StackRecheck> stackRechecks = new ArrayList<>();

  /** What a leader saw of the stack after it had released. */
  private void addStackRechecks() {
    for (StackRecheck recheck : stackRechecks) {
      List<Integer> later = fullDrainsAfter(recheck.term);
      if (graph.event(recheck.node).number(0) == 0) {
        addEmptyStack(recheck, later);
      } else if (!later.isEmpty()) {
        addFullStack(recheck, later.get(0));
      }
    }
  }

  /**
   * Whoever saw nobody on the stack did so before the oldest entry was pushed that the next drain
   * took; unless it is certain that this was pushed before, and then after that drain, too.
   */
  private void addEmptyStack(StackRecheck recheck, List<Integer> later) {
    for (int drain : later) {
      if (!graph.reaches(oldestOf(drain), recheck.node)) {
        graph.before(recheck.node, oldestOf(drain));
        return;
      }
      graph.before(drain, recheck.node);
    }
    for (int enqueue : undrained) {
      graph.before(recheck.node, enqueue);
    }
  }

  /** Whoever saw somebody did so after that oldest entry was pushed, and before the drain. */
  private void addFullStack(StackRecheck recheck, int drain) {
    graph.before(oldestOf(drain), recheck.node);
    if (graph.event(drain).thread() != graph.event(recheck.node).thread()) {
      graph.before(recheck.node, drain);
    }
    if (recheck.next >= 0 && graph.event(recheck.next).kind() != Kind.BECOME_LEADER) {
      term.prefersAtLeast(recheck.term + 2, recheck.next);
    }
  }

  private int oldestOf(int drain) {
    List<Entry> entries = graph.event(drain).entries();
    return enqueues.get(entries.get(entries.size() - 1));
  }

  private List<Integer> fullDrainsAfter(long leadersTerm) {
    return drains.tailMap(leadersTerm, false).values().stream()
        .flatMap(List::stream)
        .filter(drain -> !graph.event(drain).entries().isEmpty())
        .toList();
  }

  /** The stack of waiters: who was pushed between which drains, before being let go. */
  private void addDrains() throws TraceProblem {
    for (Map<Entry, Integer> letGo : List.of(wakes, handOvers)) {
      for (Map.Entry<Entry, Integer> one : letGo.entrySet()) {
        Integer enqueue = enqueues.get(one.getKey());
        graph.before(need(enqueue, "nobody waits so", one.getValue()), one.getValue());
      }
    }
    Map<Entry, Integer> onStack = new HashMap<>(enqueues);
    int before = -1;
    for (List<Integer> inTerm : drains.values()) {
      for (int drain : inTerm) {
        int newer = -1;
        for (Entry entry : graph.event(drain).entries()) {
          int enqueue = need(onStack.remove(entry), entry + " is not on the stack", drain);
          graph.before(enqueue, newer < 0 ? drain : newer);
          if (before >= 0) {
            graph.before(before, enqueue);
          }
          newer = enqueue;
        }
        before = drain;
      }
    }
    undrained = List.copyOf(onStack.values());
    if (before >= 0) {
      for (int enqueue : undrained) {
        graph.before(before, enqueue);
      }
    }
  }

  private int need(Integer found, String otherwise, int node) throws TraceProblem {
    if (found == null || found < 0) {
      throw new TraceProblem(otherwise, List.of(graph.event(node)));
    }
    return found;
  }
}
