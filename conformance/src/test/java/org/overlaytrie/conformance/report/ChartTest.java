package org.overlaytrie.conformance.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.Chart.ChartStep;
import org.overlaytrie.conformance.report.Chart.Lane;

class ChartTest {

  @TempDir Path directory;

  @Test
  void hasALaneForEachThreadAndEachGroupOfVariables() throws Exception {
    assertThat(chart().lanes())
        .containsExactly(
            new Lane("w1", true),
            new Lane("w2", true),
            new Lane("leading", false),
            new Lane("disk", false),
            new Lane("process", false));
  }

  @Test
  void saysWhoActsAndWhatChanges() throws Exception {
    assertThat(chart().steps())
        .extracting(ChartStep::actor, ChartStep::touched)
        .containsExactly(
            tuple(-1, List.of()),
            tuple(0, List.of(0)),
            tuple(0, List.of(0, 1, 3)),
            // The thread that leads changed nothing of its own, but what leaders hand on.
            tuple(0, List.of(2)),
            tuple(0, List.of(0, 2, 3)));
    assertThat(chart().steps().get(1).changes())
        .containsExactly(new Change("thread.w1.pc", "\"idle\"", "\"invoked\""));
  }

  @Test
  void comparesValuesPartByPart() {
    assertThat(changes("[a |-> 1, b |-> <<1, 2>>]", "[a |-> 1, b |-> <<1, 3, 4>>]"))
        .containsExactly(new Change("x.b[2]", "2", "3"), new Change("x.b[3]", null, "4"));
    assertThat(changes("{1, [a |-> 2]}", "{[a |-> 2], 3}"))
        .containsExactly(new Change("x", "1", null), new Change("x", null, "3"));
    assertThat(changes("(k1 :> Absent @@ k2 :> {})", "(k1 :> w1 @@ k2 :> { })"))
        .containsExactly(new Change("x.k1", "Absent", "w1"));
    assertThat(changes("<<  >>", "<<>>")).isEmpty();
    assertThat(changes("<<>>", "[a |-> 1]")).containsExactly(new Change("x", "<<>>", "[a |-> 1]"));
  }

  @Test
  void readsStringsWithWhateverIsInThem() {
    assertThat(changes("[a |-> \"x, ]\\\" y\"]", "[a |-> \"\"]"))
        .containsExactly(new Change("x.a", "\"x, ]\\\" y\"", "\"\""));
  }

  @Test
  void keepsWhatItCannotRead() {
    assertThat(changes("<<1, ", "LAMBDA x : y"))
        .containsExactly(new Change("x", "<<1,", "LAMBDA x : y"));
  }

  private static List<Change> changes(String before, String after) {
    return Change.between("x", TlaValue.parse(before), TlaValue.parse(after));
  }

  private Chart chart() throws Exception {
    Path module = directory.resolve("SequencedCommit.tla");
    Files.writeString(
        module,
        """
        leading == <<flush, pending>>
        disk    == <<cells, visible>>
        missing == <<nowhere>>
        vars    == <<status, leading, disk>>
        """);
    ModelResult model =
        SampleReport.make().models().stream()
            .filter(one -> !one.counterexample().isEmpty())
            .findAny()
            .orElseThrow();
    return Chart.of(model, VariableGroups.of(module));
  }
}
