package org.overlaytrie.conformance.tlc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

class TlcOutputTest {

  private final TlcOutput output = new TlcOutput(new ActionNames(Fixture.specs()));

  @Test
  void readsCountsWithThousandsSeparators() {
    message(
        2200,
        0,
        "Progress(12) at 2026-11-30 15:08:43: 1,234,567 states generated (9 s/min),"
            + " 45,678 distinct states found (9 ds/min), 2 states left on queue.");

    assertThat(output.generated()).isEqualTo(1_234_567);
    assertThat(output.distinct()).isEqualTo(45_678);
  }

  @Test
  void keepsTheLastCoverageAndAddsUpTheLinesOfAnAction() {
    message(2201, 0, "The coverage statistics");
    message(2772, 0, "<Put line 1, col 1 to line 1, col 9 of module M>: 1:2");
    message(2201, 0, "The coverage statistics");
    message(2772, 0, "<Put line 1, col 1 to line 1, col 9 of module M>: 10:20");
    message(2772, 0, "<Put line 1, col 1 to line 1, col 9 of module M>: 1:1");

    assertThat(output.actions()).containsExactly(new ActionCount("Put", 11, 21));
  }

  @Test
  void readsAStateWhoseValuesGoOverSeveralLines() {
    message(
        2217,
        4,
        """
        7: <Crash(w1) line 16, col 9 to line 16, col 63 of module M>
        /\\ log = << [lsn |-> 1,
             value = 2],
          [lsn |-> 2] >>
        /\\ tip = 2
        """);

    Step step = output.counterexample().get(0);
    assertThat(step.number()).isEqualTo(7);
    assertThat(step.action()).isEqualTo("Crash(w1)");
    assertThat(step.variables())
        .containsExactly(
            entry("log", "<< [lsn |-> 1,\n     value = 2],\n  [lsn |-> 2] >>"), entry("tip", "2"));
  }

  @Test
  void readsTheStateOfAModuleWithOneVariable() {
    message(2217, 4, "1: <Initial predicate>\nx = 3\n");

    assertThat(output.counterexample().get(0).variables()).containsExactly(entry("x", "3"));
  }

  @Test
  void readsTheEndOfAnInfiniteBehaviour() {
    message(2122, 4, "2: Back to state: <Wrap line 18, col 9 to line 18, col 56 of module M>\n");

    assertThat(output.counterexample().get(0).action()).isEqualTo("Back to state 2");
    assertThat(output.counterexample().get(0).number()).isEqualTo(2);
  }

  @Test
  void believesAnExitStatusOnlyTogetherWithItsMessage() {
    assertThat(output.verdict(0)).isEqualTo(Verdict.ERROR);
    assertThat(output.verdict(12)).isEqualTo(Verdict.ERROR);
    message(2193, 0, "Model checking completed. No error has been found.");
    assertThat(output.verdict(0)).isEqualTo(Verdict.HOLDS);
    assertThat(output.verdict(12)).isEqualTo(Verdict.ERROR);
    message(2110, 1, "Invariant SomeInv is violated.");
    assertThat(output.verdict(12)).isEqualTo(Verdict.VIOLATED);
    assertThat(output.verdict(0)).isEqualTo(Verdict.ERROR);
    assertThat(output.property()).isEqualTo("SomeInv");
  }

  @Test
  void takesSymmetryTogetherWithLivenessForAnError() {
    message(2193, 0, "Model checking completed. No error has been found.");
    message(2279, 3, "Declaring symmetry during liveness checking is dangerous.");

    assertThat(output.verdict(0)).isEqualTo(Verdict.ERROR);
    assertThat(output.complaint()).contains("symmetry");
  }

  @Test
  void keepsWhatTlcComplainsAbout() {
    output.read("Parsing file /somewhere/M.tla");
    output.read("***Parse Error***");
    message(3002, 1, "Parsing or semantic analysis failed.");

    assertThat(output.verdict(150)).isEqualTo(Verdict.ERROR);
    assertThat(output.complaint())
        .isEqualTo("Parsing or semantic analysis failed.\n***Parse Error***");
  }

  private void message(int code, int severity, String text) {
    output.read("@!@!@STARTMSG " + code + ":" + severity + " @!@!@");
    text.lines().forEach(output::read);
    output.read("@!@!@ENDMSG " + code + " @!@!@");
  }
}
