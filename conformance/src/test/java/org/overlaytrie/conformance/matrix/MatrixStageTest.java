package org.overlaytrie.conformance.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Progress;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Findings;

class MatrixStageTest {

  @TempDir private Path root;

  @BeforeEach
  void writeProject() throws IOException {
    GateProject.write(root);
  }

  private StageResult run(Findings findings, String... arguments) throws IOException {
    return new MatrixStage()
        .run(
            new StageContext(
                new Checkout(root),
                root.resolve("work"),
                false,
                List.of(arguments),
                Progress.SILENT,
                findings));
  }

  @Test
  void writesTheDocumentOnDemandAndIsGreenThen() throws IOException {
    Findings findings = Findings.of(GateProject.findings());
    assertThat(run(findings).failures())
        .containsExactly(
            new Failure(
                "docs/INVARIANTS.md is not what the sources say",
                "generate it again",
                "./verify.sh matrix write"));
    assertThat(run(findings, "write").failures()).isEmpty();
    assertThat(run(findings).failures()).isEmpty();
    assertThat(run(findings).findings().matrix()).hasSize(1);
  }

  @Test
  void failsForEveryRedCellAndEveryNameThatLeadsNowhere() throws IOException {
    Path module = root.resolve("specs/Gates.tla");
    Files.writeString(module, Files.readString(module).replace("OpenInv ==", "Opened =="));
    assertThat(run(Findings.NONE, "write").failures())
        .extracting(Failure::what)
        .containsExactly(
            "specs/matrix.json lists Gates!OpenInv, which no module defines",
            "Gates!OpenInv, model",
            "Gates!OpenInv, control",
            "Gates!OpenInv, runtime",
            "Gates!OpenInv, trace",
            "Gates!OpenInv, schedule",
            "Gates!OpenInv, memory",
            "Gates!OpenInv, crash",
            "Gates!OpenInv, mutant");
  }

  @Test
  void theDocumentNamesEvidenceWithLinksAndNothingThatARunMeasured() throws IOException {
    run(Findings.NONE, "write");
    String afterNoRun = Files.readString(root.resolve("docs/INVARIANTS.md"));
    run(Findings.of(GateProject.findings()), "write");
    assertThat(root.resolve("docs/INVARIANTS.md")).hasContent(afterNoRun);
    assertThat(afterNoRun)
        .contains("| [Gates!OpenInv](#gatesopeninv) | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |")
        .contains("The gate is open, whoever comes. Defined in [Gates.tla](../specs/Gates.tla).")
        .contains("| [MCGates](../specs/MCGates.cfg) |")
        .contains("| [Gate.Bar#lift](../impl/src/main/java/gate/Gate.java) |")
        .contains(
            "| [OpenInv-shut](../conformance/mutants/OpenInv-shut.patch): The bar is not lifted."
                + " Killed by GateTest#opens. |");
  }

  @Test
  void theDocumentShowsExcusesAndGaps() throws IOException {
    Files.delete(root.resolve("specs/TraceGates.cfg"));
    Files.delete(root.resolve("lincheck/src/test/java/gate/GateScheduleTest.java"));
    GateProject.file(
        root,
        "specs/matrix.json",
        "{\"invariants\": [{\"name\": \"Gates!OpenInv\", \"excused\": {\"trace\": \"no way\"}}]}");
    run(Findings.NONE, "write");
    assertThat(root.resolve("docs/INVARIANTS.md"))
        .content()
        .contains("| 1 | 1 | 1 | 1 | - | **missing** | 1 | 1 | 1 |")
        .contains("| does not apply: no way |")
        .contains("| schedule tests | **missing** |");
  }

  @Test
  void refusesOtherArguments() {
    assertThatThrownBy(() -> run(Findings.NONE, "read")).isInstanceOf(UsageException.class);
  }
}
