package org.overlaytrie.conformance.crash;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.overlaytrie.conformance.crash.History.Answered;
import org.overlaytrie.conformance.crash.History.Call;
import org.overlaytrie.conformance.crash.History.Event;
import org.overlaytrie.conformance.crash.History.Invoked;
import org.overlaytrie.conformance.crash.History.Reopened;

/**
 * Decides whether a history is one that {@code DurableMap.tla} allows: there is an order of the
 * calls, each at a moment between its invocation and its answer, that explains every answer and
 * every content found after a crash; calls that a crash cut off took effect before it or never.
 *
 * <p>Each key is judged on its own. That loses nothing for operations on one key: linearizability
 * is local, and a store that is being opened has no concurrent calls, so its content is a read of
 * each key. A batch counts as a call on each of its keys; that they change together is for {@link
 * CommitOrder} to say, and that all see them change together for Lincheck.
 *
 * <p>The state of a search is the set of all pairs of a value that the key may hold and the calls
 * under way that have taken effect already. It grows with the calls under way, not with the
 * history.
 */
public final class HistoryChecker {

  /** What the key may hold, and a bit for each slot whose call has taken effect. */
  private record Possibility(String value, long done) {}

  private final String key;
  private final Map<Call, Object> results;
  private final Call[] slots = new Call[Long.SIZE];
  private Set<Possibility> possibilities;

  private HistoryChecker(String key, String initial, Map<Call, Object> results) {
    this.key = key;
    this.results = results;
    this.possibilities = Set.of(new Possibility(initial, 0));
  }

  /**
   * Why the history is not allowed, null if it is.
   *
   * @param initial what the map held before the first event
   */
  public static String explain(Map<String, String> initial, List<Event> events) {
    Map<Call, Object> results = new HashMap<>();
    Map<String, List<Event>> byKey = new LinkedHashMap<>();
    initial.keySet().forEach(key -> byKey.put(key, new ArrayList<>()));
    for (Event event : events) {
      if (event instanceof Invoked invoked) {
        Request request = invoked.call().request();
        byKey.putIfAbsent(request.key(), new ArrayList<>());
        if (request.other() != null) {
          byKey.putIfAbsent(request.other(), new ArrayList<>());
        }
      } else if (event instanceof Reopened reopened) {
        reopened.content().keySet().forEach(key -> byKey.putIfAbsent(key, new ArrayList<>()));
      } else if (event instanceof Answered answered) {
        results.put(answered.call(), answered.result());
      }
    }
    for (Event event : events) {
      Call call =
          event instanceof Invoked invoked
              ? invoked.call()
              : event instanceof Answered answered ? answered.call() : null;
      byKey.forEach(
          (key, list) -> {
            if (call == null || call.request().concerns(key)) {
              list.add(event);
            }
          });
    }
    for (Map.Entry<String, List<Event>> entry : byKey.entrySet()) {
      String key = entry.getKey();
      String problem = new HistoryChecker(key, initial.get(key), results).run(entry.getValue());
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private String run(List<Event> events) {
    for (int i = 0; i < events.size(); i++) {
      Set<Possibility> before = possibilities;
      step(events.get(i));
      if (possibilities.isEmpty()) {
        return "key %s: nothing explains %s%n  possible before (value, calls done): %s%n  history: %s"
            .formatted(key, describe(events.get(i)), before, events.subList(0, i + 1));
      }
    }
    return null;
  }

  private String describe(Event event) {
    return event instanceof Reopened reopened
        ? "that the reopened store holds " + reopened.content().get(key)
        : event.toString();
  }

  private void step(Event event) {
    if (event instanceof Invoked invoked) {
      slots[freeSlot()] = invoked.call();
    } else if (event instanceof Answered answered) {
      int slot = slotOf(answered.call());
      long bit = 1L << slot;
      Set<Possibility> kept = new HashSet<>();
      for (Possibility possibility : reachable()) {
        if ((possibility.done & bit) != 0) {
          kept.add(new Possibility(possibility.value, possibility.done & ~bit));
        }
      }
      slots[slot] = null;
      possibilities = kept;
    } else if (event instanceof Reopened reopened) {
      String found = reopened.content().get(key);
      boolean possible =
          reachable().stream().anyMatch(possibility -> Objects.equals(possibility.value, found));
      possibilities = possible ? Set.of(new Possibility(found, 0)) : Set.of();
      Arrays.fill(slots, null);
    }
  }

  /** What may be once any calls under way have taken effect, in any order. */
  private Set<Possibility> reachable() {
    Set<Possibility> reached = new HashSet<>(possibilities);
    Deque<Possibility> unvisited = new ArrayDeque<>(possibilities);
    while (!unvisited.isEmpty()) {
      Possibility from = unvisited.pop();
      for (int slot = 0; slot < slots.length; slot++) {
        Call call = slots[slot];
        if (call != null && (from.done & 1L << slot) == 0 && agrees(call, from.value)) {
          Possibility to =
              new Possibility(call.request().after(key, from.value), from.done | 1L << slot);
          if (reached.add(to)) {
            unvisited.push(to);
          }
        }
      }
    }
    return reached;
  }

  /** Whether the answer that the call got, if any, is right where the key holds {@code value}. */
  private boolean agrees(Call call, String value) {
    return !results.containsKey(call)
        || Objects.equals(results.get(call), call.request().answer(value));
  }

  private int freeSlot() {
    return slotOf(null);
  }

  private int slotOf(Call call) {
    for (int slot = 0; slot < slots.length; slot++) {
      if (slots[slot] == call) {
        return slot;
      }
    }
    throw new IllegalStateException("more than " + slots.length + " calls under way on " + key);
  }
}
