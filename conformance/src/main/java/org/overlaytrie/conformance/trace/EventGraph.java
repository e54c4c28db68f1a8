package org.overlaytrie.conformance.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Events and what must come before what; puts them in one order that respects it. */
final class EventGraph {
  private final List<TraceEvent> events = new ArrayList<>();
  private final List<int[]> edges = new ArrayList<>();
  private final List<int[]> wishes = new ArrayList<>();
  private final Set<Integer> late = new HashSet<>();

  /** Adds an event and returns its node. */
  int add(TraceEvent event) {
    events.add(event);
    return events.size() - 1;
  }

  TraceEvent event(int node) {
    return events.get(node);
  }

  /** {@code first} must come before {@code second}. */
  void before(int first, int second) {
    edges.add(new int[] {first, second});
  }

  /** Whether it follows from what is known that {@code first} comes before {@code second}. */
  boolean reaches(int first, int second) {
    int[][] successors = adjacency(edges);
    boolean[] seen = new boolean[events.size()];
    ArrayDeque<Integer> next = new ArrayDeque<>(List.of(first));
    while (!next.isEmpty()) {
      int node = next.poll();
      if (node == second) {
        return true;
      }
      for (int successor : successors[node]) {
        if (!seen[successor]) {
          seen[successor] = true;
          next.add(successor);
        }
      }
    }
    return false;
  }

  /** {@code first} comes before {@code second} unless that is impossible. */
  void preferablyBefore(int first, int second) {
    wishes.add(new int[] {first, second});
  }

  /** {@code node} comes after everything that need not come after it. */
  void asLateAsPossible(int node) {
    late.add(node);
  }

  /**
   * All events in an order that respects all edges.
   *
   * @throws TraceProblem if there is none: the message lists the events of a cycle
   */
  List<TraceEvent> order() throws TraceProblem {
    int[][] successors = adjacency(edges);
    int[][] wished = adjacency(wishes);
    int[] missing = predecessors(edges);
    int[] wishing = predecessors(wishes);
    Queues queues = new Queues(wishing);
    boolean[] done = new boolean[events.size()];
    List<TraceEvent> order = new ArrayList<>(events.size());
    for (int node = 0; node < events.size(); node++) {
      if (missing[node] == 0) {
        queues.add(node);
      }
    }
    while (order.size() < events.size()) {
      int node = queues.poll(done);
      if (node < 0) {
        throw cycle(done);
      }
      done[node] = true;
      order.add(events.get(node));
      for (int next : wished[node]) {
        if (--wishing[next] == 0 && missing[next] == 0 && !done[next]) {
          queues.add(next);
        }
      }
      for (int next : successors[node]) {
        if (--missing[next] == 0) {
          queues.add(next);
        }
      }
    }
    return order;
  }

  /** The events whose turn it may be. */
  private final class Queues {
    private final int[] wishing;
    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    private final ArrayDeque<Integer> reluctant = new ArrayDeque<>();
    private final ArrayDeque<Integer> last = new ArrayDeque<>();

    Queues(int[] wishing) {
      this.wishing = wishing;
    }

    void add(int node) {
      (late.contains(node) ? last : wishing[node] > 0 ? reluctant : ready).add(node);
    }

    /** The next event, -1 if there is none; a reluctant one may have become ready and be done. */
    int poll(boolean[] done) {
      for (ArrayDeque<Integer> queue : List.of(ready, reluctant, last)) {
        while (!queue.isEmpty()) {
          int node = queue.poll();
          if (!done[node]) {
            return node;
          }
        }
      }
      return -1;
    }
  }

  private int[][] adjacency(List<int[]> pairs) {
    int[] counts = new int[events.size()];
    for (int[] pair : pairs) {
      counts[pair[0]]++;
    }
    int[][] lists = new int[events.size()][];
    Arrays.setAll(lists, node -> new int[counts[node]]);
    for (int[] pair : pairs) {
      lists[pair[0]][--counts[pair[0]]] = pair[1];
    }
    return lists;
  }

  private int[] predecessors(List<int[]> pairs) {
    int[] counts = new int[events.size()];
    for (int[] pair : pairs) {
      counts[pair[1]]++;
    }
    return counts;
  }

  /** Follows predecessors among the events that could not be ordered until one comes up again. */
  private TraceProblem cycle(boolean[] done) {
    int[] blocker = new int[events.size()];
    Arrays.fill(blocker, -1);
    for (int[] edge : edges) {
      if (!done[edge[0]] && !done[edge[1]]) {
        blocker[edge[1]] = edge[0];
      }
    }
    int node = 0;
    while (blocker[node] < 0) {
      node++;
    }
    List<Integer> path = new ArrayList<>();
    boolean[] visited = new boolean[events.size()];
    while (!visited[node]) {
      visited[node] = true;
      path.add(node);
      node = blocker[node];
    }
    List<TraceEvent> cycle = new ArrayList<>();
    for (int on : path.subList(path.indexOf(node), path.size())) {
      cycle.add(0, events.get(on));
    }
    return new TraceProblem(
        "no order of these events explains them: each must come before the next, and the last before"
            + " the first",
        shorten(cycle));
  }

  /** Leaves out events between two others of their own thread. */
  private static List<TraceEvent> shorten(List<TraceEvent> cycle) {
    List<TraceEvent> kept = new ArrayList<>();
    for (int i = 0; i < cycle.size(); i++) {
      long thread = cycle.get(i).thread();
      long before = cycle.get((i + cycle.size() - 1) % cycle.size()).thread();
      long after = cycle.get((i + 1) % cycle.size()).thread();
      if (thread != before || thread != after) {
        kept.add(cycle.get(i));
      }
    }
    return kept.isEmpty() ? cycle : kept;
  }
}
