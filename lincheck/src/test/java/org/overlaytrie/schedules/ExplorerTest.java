package org.overlaytrie.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.overlaytrie.schedules.scenario.Counter;
import org.overlaytrie.schedules.scenario.Door;

/** The explorer sees what it claims to see, on examples small enough to know the answer. */
class ExplorerTest {
  private static Scenario load(Class<? extends Scenario> type) throws Exception {
    return new SteppingLoader(
            name -> name.startsWith("org.overlaytrie.schedules.scenario."), Map.of())
        .scenario(type);
  }

  @Test
  void runsEveryOrderOfTwoThreadsOfTwoSteps() throws Exception {
    Scenario counter = load(Counter.class);
    assertThat(new Explorer(100, 0).exploreAll(counter).failure()).isNull();
    assertThat(counter.toString()).isEqualTo("[aabb, abab, abba, baab, baba, bbaa]");
  }

  @Test
  void runsOnlyOrdersWithinTheBoundOnPreemptions() throws Exception {
    Scenario counter = load(Counter.class);
    assertThat(new Explorer(0, 0).exploreAll(counter).executions()).isEqualTo(2);
    assertThat(counter.toString()).isEqualTo("[aabb, bbaa]");
  }

  @Test
  void acceptsAWaitThatLooksAgain() throws Exception {
    Explorer.Result result = new Explorer(100, 2).exploreAll(load(Door.class));
    assertThat(result.failure()).isNull();
    assertThat(result.executions()).isGreaterThan(10);
  }

  @Test
  void findsALostWakeUp() throws Exception {
    Explorer.Result result = new Explorer(1, 0).exploreAll(load(Door.LooksTooEarly.class));
    assertThat(result.failure()).hasMessageContaining("lost wake-up: A sleeps");
  }

  @Test
  void findsALostWakeUpAtRandom() throws Exception {
    Explorer.Result result =
        new Explorer(10, 0).exploreRandomly(load(Door.LooksTooEarly.class), 7, 1_000);
    assertThat(result.failure()).hasMessageContaining("lost wake-up: A sleeps");
  }

  @Test
  void findsAWaitThatASpuriousWakeUpBreaks() throws Exception {
    Scenario hasty = load(Door.TrustsEveryWakeUp.class);
    assertThat(new Explorer(2, 0).exploreAll(hasty).failure()).isNull();
    assertThat(new Explorer(2, 1).exploreAll(hasty).failure())
        .hasMessageContaining("passed a closed door");
  }

  @Test
  void loadsClassesWhoseNamesNoOtherLoaderUses() throws Exception {
    String one = load(Counter.class).getClass().getName();
    String other = load(Counter.class).getClass().getName();
    assertThat(one).isNotEqualTo(other).endsWith(".schedules.scenario.Counter");
    assertThat(one).isNotEqualTo(Counter.class.getName());
  }
}
