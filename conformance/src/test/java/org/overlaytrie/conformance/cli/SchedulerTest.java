package org.overlaytrie.conformance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchedulerTest {

  private final List<String> steps = new CopyOnWriteArrayList<>();
  private final CyclicBarrier meeting = new CyclicBarrier(2);

  @Test
  void runsTwoStagesSideBySideOnTwoCores() throws Exception {
    new Scheduler(2).run(List.of(stage("a", 1), stage("b", 1)), this::meetTheOther);

    assertThat(steps.subList(0, 2)).containsExactlyInAnyOrder("+a", "+b");
  }

  @Test
  void runsOneAfterTheOtherInTheirOrderOnOneCore() throws Exception {
    new Scheduler(1).run(List.of(stage("a", 2), stage("b", 1), stage("c", 9)), this::noteBothEnds);

    assertThat(steps).containsExactly("+a", "-a", "+b", "-b", "+c", "-c");
  }

  @Test
  void runsAStageThatNeedsAllCoresAlone() throws Exception {
    new Scheduler(2)
        .run(
            List.of(stage("a", 1), stage("all", 2), stage("b", 1)),
            stage -> {
              if (stage.name().equals("all")) {
                noteBothEnds(stage);
              } else {
                meetTheOther(stage);
              }
            });

    assertThat(steps.subList(4, 6)).containsExactly("+all", "-all");
  }

  @Test
  void runsAStageAfterThoseItReadsWhateverTheOrder() throws Exception {
    Stage reader = new FakeStage("reader", 1, Set.of("a", "b", "absent"), null);

    new Scheduler(4).run(List.of(reader, stage("a", 1), stage("b", 1)), this::noteBothEnds);

    assertThat(steps.indexOf("+reader")).isGreaterThan(steps.indexOf("-a"));
    assertThat(steps.indexOf("+reader")).isGreaterThan(steps.indexOf("-b"));
  }

  @Test
  void refusesStagesThatWaitForEachOther() {
    List<Stage> circle =
        List.of(new FakeStage("a", 1, Set.of("b"), null), new FakeStage("b", 1, Set.of("a"), null));

    assertThatThrownBy(() -> new Scheduler(2).run(circle, this::noteBothEnds))
        .hasMessageContaining("wait for each other");
  }

  private void noteBothEnds(Stage stage) {
    steps.add("+" + stage.name());
    steps.add("-" + stage.name());
  }

  private void meetTheOther(Stage stage) {
    steps.add("+" + stage.name());
    try {
      meeting.await(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException("the other did not come", e);
    }
    steps.add("-" + stage.name());
  }

  private static Stage stage(String name, int cores) {
    return new FakeStage(name, cores, Set.of(), null);
  }
}
