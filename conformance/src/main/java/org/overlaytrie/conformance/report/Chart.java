package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.TlaValue.Elements;
import org.overlaytrie.conformance.report.TlaValue.Mapping;

/**
 * A counterexample as a sequence chart: a lane for each thread and for each group of variables.
 *
 * @param config the configuration
 * @param property what is violated
 * @param lanes the lanes, from left to right
 * @param steps the states, the first one included
 */
public record Chart(String config, String property, List<Lane> lanes, List<ChartStep> steps) {

  /**
   * One lane.
   *
   * @param name its name
   * @param isThread whether it is a thread; else it is a group of variables
   */
  public record Lane(String name, boolean isThread) {}

  /**
   * One state, and what led to it.
   *
   * @param number as TLC counts; of the state that an infinite behaviour returns to, at its end
   * @param action what happened
   * @param actor the lane that acted; -1 if none, in the first and last entries
   * @param touched the lanes that changed
   * @param changes what changed
   * @param state every variable's value
   */
  public record ChartStep(
      int number,
      String action,
      int actor,
      List<Integer> touched,
      List<Change> changes,
      Map<String, String> state) {}

  /** The places in the code of a thread that leads: it acts although its own state stays. */
  private static final Set<String> LEADING =
      Set.of(
          "\"collect\"",
          "\"write\"",
          "\"publish\"",
          "\"drain\"",
          "\"serve\"",
          "\"failing\"",
          "\"letgo\"");

  /** The chart of a counterexample that is not empty. */
  static Chart of(ModelResult model, VariableGroups groups) {
    return new Builder(model.counterexample().get(0), groups).build(model);
  }

  /** Assigns steps to lanes. */
  private static final class Builder {
    private final String threads;
    private final List<Lane> lanes = new ArrayList<>();
    private final Map<String, Integer> laneOfThread = new LinkedHashMap<>();
    private final Map<String, Integer> laneOfVariable = new LinkedHashMap<>();

    Builder(Step first, VariableGroups groups) {
      Map<String, TlaValue> variables = parse(first);
      threads = threadsVariable(variables).orElse(null);
      if (threads != null) {
        for (String name : parts(variables.get(threads)).keySet()) {
          laneOfThread.put(name, lanes.size());
          lanes.add(new Lane(name, true));
        }
      }
      Set<String> rest = new LinkedHashSet<>(variables.keySet());
      rest.remove(threads);
      groups
          .groups()
          .forEach(
              (name, members) -> {
                if (rest.containsAll(members)) {
                  addLane(name, members);
                  rest.removeAll(members);
                }
              });
      if (!rest.isEmpty()) {
        addLane(rest.contains("status") ? "process" : "state", List.copyOf(rest));
      }
    }

    private void addLane(String name, List<String> variables) {
      variables.forEach(variable -> laneOfVariable.put(variable, lanes.size()));
      lanes.add(new Lane(name, false));
    }

    Chart build(ModelResult model) {
      List<ChartStep> steps = new ArrayList<>();
      Map<String, TlaValue> before = null;
      for (Step step : model.counterexample()) {
        Map<String, TlaValue> after = parse(step);
        steps.add(step(step, before, after));
        before = after.isEmpty() ? before : after;
      }
      return new Chart(model.config(), model.property(), lanes, steps);
    }

    private ChartStep step(Step step, Map<String, TlaValue> before, Map<String, TlaValue> after) {
      List<Change> changes = new ArrayList<>();
      Set<Integer> touched = new LinkedHashSet<>();
      if (before != null) {
        after.forEach(
            (variable, value) -> {
              for (Change change : Change.between(variable, before.get(variable), value)) {
                changes.add(change);
                touched.add(lane(variable, change));
              }
            });
      }
      Map<String, String> state = new LinkedHashMap<>();
      after.forEach((variable, value) -> state.put(variable, value.text()));
      int actor = changes.isEmpty() ? -1 : actor(before, changes, touched);
      return new ChartStep(
          step.number(), step.action(), actor, touched.stream().sorted().toList(), changes, state);
    }

    private int lane(String variable, Change change) {
      if (!variable.equals(threads)) {
        return laneOfVariable.get(variable);
      }
      return laneOfThread.get(threadOf(change.path()));
    }

    /** From {@code thread.w1.pc} or {@code thread[1].pc}. */
    private String threadOf(String path) {
      return laneOfThread.keySet().stream()
          .filter(
              name -> {
                String rest = path.substring(threads.length());
                return rest.startsWith("." + name + ".")
                    || rest.equals("." + name)
                    || rest.startsWith("[" + name + "]");
              })
          .findFirst()
          .orElseThrow();
    }

    /**
     * The one thread that moved on in its code; or else, as in a crash or a recovery, the process;
     * or else the one that leads, if what leaders hand on changed; or else whatever changed.
     */
    private int actor(Map<String, TlaValue> before, List<Change> changes, Set<Integer> touched) {
      List<Integer> moved = new ArrayList<>();
      for (Change change : changes) {
        if (change.path().startsWith(threads + ".") || change.path().startsWith(threads + "[")) {
          if (change.path().endsWith(".pc")) {
            moved.add(laneOfThread.get(threadOf(change.path())));
          }
        }
      }
      if (moved.size() == 1) {
        return moved.get(0);
      }
      Integer process = laneOfVariable.get("status");
      if (process != null && touched.contains(process)) {
        return process;
      }
      Integer leading = laneOfVariable.get("flush");
      if (threads != null && leading != null && touched.contains(leading)) {
        List<Integer> leaders =
            parts(before.get(threads)).entrySet().stream()
                .filter(part -> LEADING.contains(place(part.getValue())))
                .map(part -> laneOfThread.get(part.getKey()))
                .toList();
        if (leaders.size() == 1) {
          return leaders.get(0);
        }
      }
      return touched.iterator().next();
    }
  }

  private static Map<String, TlaValue> parse(Step step) {
    Map<String, TlaValue> values = new LinkedHashMap<>();
    step.variables().forEach((name, text) -> values.put(name, TlaValue.parse(text)));
    return values;
  }

  /**
   * The variable that tells what each thread does: values by thread, with a place in the code each;
   * or else any values by model value.
   */
  private static Optional<String> threadsVariable(Map<String, TlaValue> variables) {
    Optional<String> placed =
        variables.keySet().stream()
            .filter(
                name -> {
                  Map<String, TlaValue> parts = parts(variables.get(name));
                  return !parts.isEmpty()
                      && parts.values().stream().allMatch(value -> place(value) != null);
                })
            .findFirst();
    return placed.isPresent()
        ? placed
        : variables.keySet().stream()
            .filter(name -> variables.get(name) instanceof Mapping mapping && !mapping.isRecord())
            .findFirst();
  }

  private static String place(TlaValue thread) {
    TlaValue place = parts(thread).get("pc");
    return place == null ? null : place.text();
  }

  /** The parts of a function, record or sequence; none of anything else. */
  private static Map<String, TlaValue> parts(TlaValue value) {
    if (value instanceof Mapping mapping) {
      return mapping.parts();
    }
    Map<String, TlaValue> parts = new LinkedHashMap<>();
    if (value instanceof Elements sequence && !sequence.isSet()) {
      for (TlaValue element : sequence.elements()) {
        parts.put(String.valueOf(parts.size() + 1), element);
      }
    }
    return parts;
  }
}
