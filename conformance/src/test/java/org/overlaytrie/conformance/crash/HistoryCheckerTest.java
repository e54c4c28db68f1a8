package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.overlaytrie.conformance.crash.History.Call;
import org.overlaytrie.spec.OperationKind;

@Tag("crash")
class HistoryCheckerTest {
  private final History history = new History();

  @Test
  void acceptsAnAnsweredPutThatIsThereAfterACrash() {
    answer(history.invoke(0, Request.put("a", "1")), null);
    history.reopen(Map.of("a", "1"));
    assertAllowed();
  }

  @Test
  void rejectsTheLossOfAnAnsweredPut() {
    answer(history.invoke(0, Request.put("a", "1")), null);
    history.reopen(Map.of());
    assertRejected("holds null");
  }

  @Test
  void acceptsAPutThatWasCutOffWhetherItIsThereOrNot() {
    answer(history.invoke(0, Request.put("b", "0")), null);
    Call unused = history.invoke(0, Request.put("a", "1"));
    int crash = history.length();
    history.reopen(Map.of("a", "1", "b", "0"));
    assertAllowed();
    List<History.Event> without = new ArrayList<>(history.prefix(crash));
    without.add(new History.Reopened(Map.of("b", "0")));
    assertThat(HistoryChecker.explain(Map.of(), without)).isNull();
  }

  @Test
  void rejectsThatACutOffPutTakesEffectAfterTheCrash() {
    Call unused = history.invoke(0, Request.put("a", "1"));
    history.reopen(Map.of());
    history.reopen(Map.of("a", "1"));
    assertRejected("holds 1");
  }

  @Test
  void rejectsWhatNobodyWrote() {
    answer(history.invoke(0, Request.put("a", "1")), null);
    history.reopen(Map.of("a", "1", "b", "2"));
    assertRejected("key b");
  }

  @Test
  void rejectsTheLossOfWhatAReaderObserved() {
    Call unused = history.invoke(0, Request.put("a", "1"));
    answer(history.invoke(1, Request.get("a")), "1");
    history.reopen(Map.of());
    assertRejected("holds null");
  }

  @Test
  void rejectsAPutThatOvertookALaterOne() {
    answer(history.invoke(0, Request.put("a", "1")), null);
    answer(history.invoke(1, Request.put("a", "2")), "1");
    history.reopen(Map.of("a", "1"));
    assertRejected("holds 1");
  }

  @Test
  void acceptsConcurrentPutsInTheOrderThatTheirAnswersTell() {
    Call first = history.invoke(0, Request.put("a", "1"));
    Call second = history.invoke(1, Request.put("a", "2"));
    answer(first, "2");
    answer(second, null);
    history.reopen(Map.of("a", "1"));
    assertAllowed();
  }

  @Test
  void rejectsConcurrentPutsInTheOtherOrder() {
    Call first = history.invoke(0, Request.put("a", "1"));
    Call second = history.invoke(1, Request.put("a", "2"));
    answer(first, "2");
    answer(second, null);
    history.reopen(Map.of("a", "2"));
    assertRejected("holds 2");
  }

  @Test
  void rejectsAnAnswerThatDependsOnALostChange() {
    Call unused = history.invoke(0, Request.put("a", "1"));
    Request absent = new Request(OperationKind.PUT_IF_ABSENT, "a", null, "2");
    answer(history.invoke(1, absent), "1");
    history.reopen(Map.of());
    assertRejected("holds null");
  }

  @Test
  void rejectsAConditionalReplaceThatSaysYesWrongly() {
    answer(history.invoke(0, Request.put("a", "1")), null);
    Request replace = new Request(OperationKind.REPLACE_IF, "a", "0", "2");
    answer(history.invoke(0, replace), true);
    assertRejected("REPLACE_IF");
  }

  /**
   * Runs requests one at a time on a plain map, but records each as lasting longer: always legal. A
   * changed answer or a changed final value must then be found illegal wherever nothing concurrent
   * explains it; the reference for that is a search of all orders.
   */
  @Test
  void agreesWithASearchOfAllOrdersOnRandomHistories() {
    long seed = Long.getLong("overlaytrie.seed", 20_261_130L);
    int rejected = 0;
    for (int run = 0; run < 2_000; run++) {
      Random random = new Random(seed + run);
      List<Step> steps = randomSteps(random);
      History recorded = record(steps);
      Map<String, String> content = new HashMap<>();
      String last = random.nextBoolean() ? "v" + random.nextInt(3) : null;
      if (last != null) {
        content.put("a", last);
      }
      recorded.reopen(content);
      boolean allowed = HistoryChecker.explain(Map.of(), recorded.events()) == null;
      assertThat(allowed)
          .as("seed %d: %s -> %s", seed + run, steps, last)
          .isEqualTo(search(steps, new boolean[steps.size()], null, last));
      rejected += allowed ? 0 : 1;
    }
    assertThat(rejected).isBetween(200, 1_800);
  }

  /** A call that lasts from one time to another; never answered if {@code to} is the maximum. */
  private record Step(Request request, int from, int to, Object result) {}

  private static List<Step> randomSteps(Random random) {
    List<Step> steps = new ArrayList<>();
    String current = null;
    for (int i = 0; i < 5; i++) {
      OperationKind[] kinds = OperationKind.values();
      OperationKind kind = random.nextInt(4) == 0 ? null : kinds[random.nextInt(kinds.length)];
      Request request = new Request(kind, "a", "v" + random.nextInt(3), "v" + random.nextInt(3));
      Object result = request.answer(current);
      if (random.nextInt(10) == 0) {
        result = result instanceof Boolean yes ? !yes : "v" + random.nextInt(3);
      }
      current = request.after("a", current);
      int from = 2 * (5 * i - random.nextInt(12)); // even, and the ends odd: never at once
      int to = random.nextInt(5) == 0 ? Integer.MAX_VALUE : 2 * (5 * i + random.nextInt(12)) + 1;
      steps.add(new Step(request, from, to, result));
    }
    return steps;
  }

  private static History record(List<Step> steps) {
    History recorded = new History();
    Call[] calls = new Call[steps.size()];
    TreeMap<Integer, List<Runnable>> timeline = new TreeMap<>();
    for (int i = 0; i < calls.length; i++) {
      int index = i;
      Step step = steps.get(i);
      timeline
          .computeIfAbsent(step.from, time -> new ArrayList<>())
          .add(() -> calls[index] = recorded.invoke(0, step.request));
      if (step.to != Integer.MAX_VALUE) {
        timeline
            .computeIfAbsent(step.to, time -> new ArrayList<>())
            .add(() -> recorded.answer(calls[index], step.result));
      }
    }
    timeline.values().forEach(list -> list.forEach(Runnable::run));
    return recorded;
  }

  /** Whether some order of the steps not yet done leads from {@code value} to {@code last}. */
  private static boolean search(List<Step> steps, boolean[] done, String value, String last) {
    boolean allAnswered = true;
    for (int i = 0; i < done.length; i++) {
      allAnswered &= done[i] || steps.get(i).to == Integer.MAX_VALUE;
    }
    if (allAnswered && Objects.equals(value, last)) {
      return true;
    }
    for (int i = 0; i < done.length; i++) {
      Step step = steps.get(i);
      if (done[i] || !mayBeNext(steps, done, step)) {
        continue;
      }
      boolean pending = step.to == Integer.MAX_VALUE;
      if (pending || Objects.equals(step.result, step.request.answer(value))) {
        done[i] = true;
        boolean found = search(steps, done, step.request.after("a", value), last);
        done[i] = false;
        if (found) {
          return true;
        }
      }
    }
    return false;
  }

  /** No step that is not done yet was over before this one began. */
  private static boolean mayBeNext(List<Step> steps, boolean[] done, Step step) {
    for (int i = 0; i < done.length; i++) {
      if (!done[i] && steps.get(i).to < step.from) {
        return false;
      }
    }
    return true;
  }

  private void answer(Call call, Object result) {
    history.answer(call, result);
  }

  private void assertAllowed() {
    assertThat(HistoryChecker.explain(Map.of(), history.events())).isNull();
  }

  private void assertRejected(String reason) {
    assertThat(HistoryChecker.explain(Map.of(), history.events())).contains(reason);
  }
}
