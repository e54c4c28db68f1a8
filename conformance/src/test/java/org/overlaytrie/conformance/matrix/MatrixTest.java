package org.overlaytrie.conformance.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.conformance.matrix.GateProject.file;
import static org.overlaytrie.conformance.matrix.GateProject.findings;
import static org.overlaytrie.conformance.matrix.GateProject.jcstress;
import static org.overlaytrie.conformance.matrix.GateProject.model;
import static org.overlaytrie.conformance.matrix.GateProject.mutant;
import static org.overlaytrie.conformance.matrix.GateProject.test;
import static org.overlaytrie.conformance.matrix.GateProject.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.JcstressResult;
import org.overlaytrie.conformance.report.MatrixRow;
import org.overlaytrie.conformance.report.MatrixRow.Cell;
import org.overlaytrie.conformance.report.MatrixRow.Evidence;
import org.overlaytrie.conformance.report.MatrixRow.State;
import org.overlaytrie.conformance.report.ModelResult;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TraceResult;

class MatrixTest {

  @TempDir private Path root;

  @BeforeEach
  void writeProject() throws IOException {
    GateProject.write(root);
  }

  private Map<Column, Cell> row(List<Finding> findings) throws IOException {
    List<MatrixRow> rows = new Matrix(Links.collect(root), Findings.of(findings)).rows();
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).invariant()).isEqualTo(GateProject.INVARIANT);
    Map<Column, Cell> cells = new EnumMap<>(Column.class);
    rows.get(0)
        .columns()
        .forEach((key, cell) -> cells.put(Column.valueOf(key.toUpperCase(Locale.ROOT)), cell));
    assertThat(cells.keySet()).containsExactly(Column.values());
    return cells;
  }

  private void assertRed(Column column, List<Finding> findings, String reason) throws IOException {
    row(findings)
        .forEach(
            (each, cell) -> {
              assertThat(cell.state())
                  .as(each.key())
                  .isEqualTo(each == column ? State.RED : State.GREEN);
              if (each == column) {
                assertThat(cell.reason()).contains(reason);
              }
            });
  }

  private static List<Finding> without(Predicate<Finding> which) {
    List<Finding> rest = new ArrayList<>(findings());
    assertThat(rest.removeIf(which)).isTrue();
    return rest;
  }

  private static List<Finding> replacing(Predicate<Finding> which, Finding replacement) {
    List<Finding> changed = without(which);
    changed.add(replacement);
    return changed;
  }

  private static Predicate<Finding> isModel(String config) {
    return finding -> finding instanceof ModelResult model && model.config().equals(config);
  }

  private static Predicate<Finding> isTest(String className) {
    return finding -> finding instanceof TestResult test && test.className().equals(className);
  }

  @Test
  void isGreenWithEvidenceOfEveryKindThatTheRunSawHold() throws IOException {
    Map<Column, Cell> row = row(findings());
    assertThat(row.values()).extracting(Cell::state).containsOnly(State.GREEN);
    assertThat(row.get(Column.MODEL).evidence())
        .containsExactly(new Evidence("MCGates", "4,321 states"));
    assertThat(row.get(Column.CONTROL).evidence())
        .containsExactly(new Evidence("MCGatesBugLimit", "refuted by OpenInv"));
    assertThat(row.get(Column.CODE).evidence())
        .containsExactly(new Evidence("gate.Gate$Bar#lift", "impl/src/main/java/gate/Gate.java"));
    assertThat(row.get(Column.RUNTIME).evidence())
        .containsExactly(new Evidence("gate.GateTest", "1 passed"));
    assertThat(row.get(Column.TRACE).evidence())
        .containsExactly(new Evidence("TraceGates", "1 of 1 traces accepted, 20,000 events"));
    assertThat(row.get(Column.SCHEDULE).evidence())
        .containsExactly(new Evidence("gate.GateScheduleTest#opensForTwo", "1 passed"));
    assertThat(row.get(Column.MEMORY).evidence())
        .containsExactly(new Evidence("gate.GateIsSeenOpen", "allowed in 1,000,000 samples"));
    assertThat(row.get(Column.CRASH).evidence())
        .containsExactly(
            new Evidence("org.overlaytrie.conformance.crash.GateCrashTest#opensAgain", "1 passed"));
    assertThat(row.get(Column.MUTANT).evidence())
        .containsExactly(new Evidence("OpenInv-shut", "killed by gate.GateTest#opens"));
  }

  @Test
  void isRedWhereEvidenceWasNotExecutedInTheRun() throws IOException {
    String reason = "not executed in this run";
    assertRed(Column.MODEL, without(isModel("MCGates")), reason);
    assertRed(Column.CONTROL, without(isModel("MCGatesBugLimit")), reason);
    assertRed(Column.RUNTIME, without(isTest("gate.GateTest")), reason);
    assertRed(Column.TRACE, without(TraceResult.class::isInstance), reason);
    assertRed(Column.SCHEDULE, without(isTest("gate.GateScheduleTest")), reason);
    assertRed(Column.MEMORY, without(JcstressResult.class::isInstance), reason);
    assertRed(
        Column.CRASH, without(isTest("org.overlaytrie.conformance.crash.GateCrashTest")), reason);
    assertRed(Column.MUTANT, without(MutantResult.class::isInstance), reason);
  }

  @Test
  void isRedWhereEvidenceFailed() throws IOException {
    assertRed(
        Column.MODEL,
        replacing(
            isModel("MCGates"),
            model("MCGates", ModelResult.Kind.HOLDS, ModelResult.Verdict.HOLDS, null, false)),
        "MCGates: failed: 5 states instead of 4");
    assertRed(
        Column.CONTROL,
        replacing(
            isModel("MCGatesBugLimit"),
            model(
                "MCGatesBugLimit",
                ModelResult.Kind.BUG,
                ModelResult.Verdict.VIOLATED,
                "TypeOK",
                true)),
        "refuted by TypeOK");
    assertRed(
        Column.TRACE,
        replacing(TraceResult.class::isInstance, trace(TraceResult.Result.REJECTED)),
        "0 of 1 traces accepted");
    assertRed(
        Column.RUNTIME,
        replacing(
            isTest("gate.GateTest"), test("gate.GateTest", "opens", TestResult.Status.FAILED)),
        "1 failed");
    assertRed(
        Column.RUNTIME,
        replacing(
            isTest("gate.GateTest"), test("gate.GateTest", "opens", TestResult.Status.SKIPPED)),
        "not executed");
    assertRed(
        Column.MEMORY, replacing(JcstressResult.class::isInstance, jcstress(false)), "forbidden");
    assertRed(
        Column.MUTANT,
        replacing(MutantResult.class::isInstance, mutant(MutantResult.Result.SURVIVED)),
        "OpenInv-shut: survived: all its tests pass");
    assertRed(
        Column.MUTANT,
        replacing(MutantResult.class::isInstance, mutant(MutantResult.Result.STALE)),
        "stale");
  }

  @Test
  void oneFailureAmongSeveralPiecesOfEvidenceIsEnoughForRed() throws IOException {
    List<Finding> findings = new ArrayList<>(findings());
    findings.add(test("gate.GateTest", "closes", TestResult.Status.FAILED));
    assertRed(Column.RUNTIME, findings, "gate.GateTest: 1 failed");
  }

  @Test
  void isRedWhereThereIsNoEvidenceAtAll() throws IOException {
    String missing = "missing: no evidence, and no excuse";
    Files.delete(root.resolve("specs/TraceGates.cfg"));
    assertRed(Column.TRACE, findings(), missing);
    GateProject.write(root);
    file(root, "impl/src/main/java/gate/Gate.java", "package gate; class Gate {}");
    assertRed(Column.CODE, findings(), missing);
    GateProject.write(root);
    Path invariants = root.resolve("impl/src/main/java/org/overlaytrie/spec/Invariants.java");
    Files.writeString(invariants, Files.readString(invariants).replace("openInv", "shutInv"));
    assertRed(Column.RUNTIME, findings(), missing);
    GateProject.write(root);
    file(
        root,
        "impl/src/test/java/gate/GateTest.java",
        "package gate; @Checks(\"Gates!OpenInv\") class GateTest { @Test void opens() {} }");
    assertRed(Column.RUNTIME, findings(), missing);
  }

  @Test
  void anExcuseStandsForAMissingColumn() throws IOException {
    Files.delete(root.resolve("specs/TraceGates.cfg"));
    file(
        root,
        "specs/matrix.json",
        """
        {"invariants": [{"name": "Gates!OpenInv", "excused": {"trace": "nobody passes"}}]}
        """);
    Cell cell = row(findings()).get(Column.TRACE);
    assertThat(cell.state()).isEqualTo(State.EXCUSED);
    assertThat(cell.reason()).isEqualTo("nobody passes");
    assertThat(cell.evidence()).isEmpty();
  }

  @Test
  void anExcuseBesideEvidenceIsStale() throws IOException {
    file(
        root,
        "specs/matrix.json",
        """
        {"invariants": [{"name": "Gates!OpenInv", "excused": {"trace": "nobody passes"}}]}
        """);
    assertRed(Column.TRACE, findings(), "the excuse is stale");
  }
}
