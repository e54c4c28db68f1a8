package org.overlaytrie.conformance.tlc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.ModelResult;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Kind;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/** Runs TLC itself on the fixture's models. */
class ModelCheckTest {

  private static final Duration AMPLE = Duration.ofMinutes(2);

  /** One run of TLC per configuration is enough for all demands on it. */
  private static final Map<String, TlcOutcome> OUTCOMES = new ConcurrentHashMap<>();

  @TempDir Path work;

  @Test
  void aModelThatHoldsPassesWithItsCountsAndActions() throws Exception {
    AtomicLong heard = new AtomicLong();
    ModelResult model = ModelCheck.run(Fixture.specs(), entry("MCClock"), work, AMPLE, heard::set);

    assertThat(model.problem()).isNull();
    assertThat(model.passed()).isTrue();
    assertThat(model.result()).isEqualTo(Verdict.HOLDS);
    assertThat(model.distinctStates()).isEqualTo(12).isEqualTo(heard.get());
    assertThat(model.diameter()).isEqualTo(5);
    assertThat(model.properties()).containsExactly("TypeInv", "GetsWoundProp");
    assertThat(model.actions())
        .extracting(ActionCount::action, ActionCount::generated)
        .containsExactly(tuple("Tick", 8L), tuple("Wrap", 4L), tuple("Wind", 12L));
    assertThat(model.deadActions()).isEmpty();
    assertThat(model.counterexample()).isEmpty();
  }

  @Test
  void aControlPassesOnTheViolationOfTheInvariantItNames() throws Exception {
    ModelResult model = run("MCClockBugInvariant");

    assertThat(model.problem()).isNull();
    assertThat(model.property()).isEqualTo("EarlyInv");
    assertThat(model.counterexample())
        .containsExactly(
            new Step(1, "Initial predicate", clock(0)),
            new Step(2, "Tick", clock(1)),
            new Step(3, "Tick", clock(2)));
  }

  @Test
  void aControlFailsOnTheViolationOfAnotherInvariant() throws Exception {
    ModelResult model = run(control("MCClockBugInvariant", "TypeInv"));

    assertThat(model.passed()).isFalse();
    assertThat(model.problem())
        .isEqualTo("EarlyInv is violated, expected the violation of TypeInv");
  }

  @Test
  void aControlFailsWhenNothingIsViolated() throws Exception {
    assertThat(run(control("MCClock", "TypeInv")).problem())
        .isEqualTo("holds, expected the violation of TypeInv");
  }

  @Test
  void aTemporalViolationIsThatOfTheOnlyProperty() throws Exception {
    ModelResult model = run("MCClockBugLiveness");

    assertThat(model.problem()).isNull();
    assertThat(model.property()).isEqualTo("GetsWoundProp");
    assertThat(model.counterexample()).last().extracting(Step::action).isEqualTo("Stuttering");
  }

  @Test
  void aTemporalViolationOfOneOfTwoPropertiesPassesForNeither() throws Exception {
    assertThat(run("MCClockBugTwoProperties").problem())
        .startsWith("TLC does not say which property is violated");
  }

  @Test
  void aViolatedStepPropertyIsNamed() throws Exception {
    ModelResult model = run("MCClockBugStep");

    assertThat(model.problem()).isNull();
    assertThat(model.property()).isEqualTo("NeverBackProp");
  }

  @Test
  void aDeadlockIsNoViolation() throws Exception {
    ModelResult model = run("MCClockBugDeadlock");

    assertThat(model.result()).isEqualTo(Verdict.DEADLOCK);
    assertThat(model.problem()).isEqualTo("deadlock in state 6, expected the violation of TypeInv");
    assertThat(model.counterexample()).hasSize(6);
  }

  @Test
  void aParseErrorIsNoViolation() throws Exception {
    ModelResult model = run("MCBroken");

    assertThat(model.result()).isEqualTo(Verdict.ERROR);
    assertThat(model.passed()).isFalse();
    assertThat(model.problem()).contains("exit status 150", "Parse Error", "line 5, column 1");
  }

  @Test
  void anUnknownNameIsNoViolation() throws Exception {
    ModelResult model = run("MCClockBugUnknownName");

    assertThat(model.passed()).isFalse();
    assertThat(model.problem()).contains("exit status 151", "NoSuchInv");
  }

  @Test
  void anotherNumberOfStatesFails() throws Exception {
    assertThat(run(holding("MCClock", 13, 5)).problem())
        .isEqualTo("distinct states 12, the manifest says 13");
  }

  @Test
  void anotherDiameterFails() throws Exception {
    assertThat(run(holding("MCClock", 12, 6)).problem())
        .isEqualTo("a diameter of 5, the manifest says 6");
  }

  @Test
  void anActionNeverTakenFailsTheModelThatMustTakeEveryAction() throws Exception {
    assertThat(run("MCClockDead").problem()).isNull();

    Path specs = Files.createDirectories(work.resolve("dead"));
    for (String name : List.of("Clock.tla", "MCClock.tla")) {
      Files.copy(Fixture.specs().resolve(name), specs.resolve(name));
    }
    Files.copy(Fixture.specs().resolve("MCClockDead.cfg"), specs.resolve("MCClock.cfg"));
    ModelResult main =
        ModelCheck.run(specs, entry("MCClock"), work.resolve("main"), AMPLE, states -> {});
    assertThat(main.passed()).isFalse();
    assertThat(main.problem()).isEqualTo("actions that are never taken: Strike");
  }

  @Test
  void aRunOverItsTimeIsAnError() throws Exception {
    ModelResult model =
        ModelCheck.run(
            Fixture.specs(), entry("MCClockBugInvariant"), work, Duration.ZERO, states -> {});

    assertThat(model.passed()).isFalse();
    assertThat(model.problem()).isEqualTo("killed after 0 s");
  }

  private static Map<String, String> clock(int hour) {
    return Map.of("hour", String.valueOf(hour), "wound", "(w1 :> 0 @@ w2 :> 0)");
  }

  private static Manifest.Entry entry(String config) throws Exception {
    return Manifest.read(Fixture.specs()).models().stream()
        .filter(entry -> entry.config().equals(config))
        .findAny()
        .orElseThrow();
  }

  private static Manifest.Entry control(String config, String property) {
    return new Manifest.Entry(
        "Clock",
        config,
        Kind.BUG,
        Verdict.VIOLATED,
        property,
        null,
        null,
        Manifest.TimeClass.DEFAULT,
        false);
  }

  private static Manifest.Entry holding(String config, long states, int diameter) {
    return new Manifest.Entry(
        "Clock",
        config,
        Kind.HOLDS,
        Verdict.HOLDS,
        null,
        states,
        diameter,
        Manifest.TimeClass.DEFAULT,
        true);
  }

  private ModelResult run(String config) throws Exception {
    return run(entry(config));
  }

  private ModelResult run(Manifest.Entry entry) throws Exception {
    TlcJob job = ModelCheck.job(Fixture.specs(), entry, AMPLE);
    TlcOutcome outcome = OUTCOMES.get(entry.config());
    if (outcome == null) {
      outcome = TlcRunner.run(job, work, states -> {});
      OUTCOMES.put(entry.config(), outcome);
    }
    return ModelCheck.judge(entry, Configuration.read(job.config()), outcome);
  }
}
