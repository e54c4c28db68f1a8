package org.overlaytrie.conformance.cli;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.overlaytrie.conformance.report.Failure;

/** A stage that does what a test says. */
record FakeStage(String name, int cores, Set<String> after, Body body) implements Stage {

  interface Body {
    StageResult run(StageContext context) throws Exception;
  }

  static FakeStage of(String name, Body body) {
    return new FakeStage(name, 1, Set.of(), body);
  }

  static FakeStage green(String name) {
    return of(name, context -> StageResult.of(List.of(), List.of()));
  }

  static FakeStage red(String name, String what) {
    return of(
        name,
        context ->
            StageResult.of(
                List.of(new Failure(what, "seen: this", "./verify.sh " + name + " that")),
                List.of()));
  }

  @Override
  public String description() {
    return "the description of " + name;
  }

  @Override
  public Duration expected(boolean deep) {
    return Duration.ofSeconds(deep ? 600 : 61);
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    return body.run(context);
  }
}
