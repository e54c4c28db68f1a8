package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.overlaytrie.conformance.report.MatrixRow.Cell;
import org.overlaytrie.conformance.report.MatrixRow.Evidence;
import org.overlaytrie.conformance.report.MatrixRow.State;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Kind;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/** A report with something in every section, and names that try to break out of the page. */
final class SampleReport {

  /** Breaks out of text, attributes and scripts if any of them is not escaped. */
  static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'&";

  private static final List<String> COLUMNS =
      List.of(
          "model", "control", "code", "runtime", "trace", "schedule", "memory", "crash", "mutant");

  private SampleReport() {}

  static VerifyReport make() {
    VerifyReport.Command command =
        new VerifyReport.Command(
            402.4,
            58,
            "2026-11-30T12:00:00Z",
            "1234567890ab+changes",
            new VerifyReport.Host(2, "17.0.15+6 (Debian)", "Linux 6.1 amd64"));
    return VerifyReport.of(
        command,
        List.of("tlc", "tests", "crash", "matrix"),
        List.of(
            stage("tlc", List.of(failure("MCMap: " + HOSTILE)), models()),
            stage("tests", List.of(), tests()),
            stage("matrix", List.of(), rows())));
  }

  private static StageRecord stage(
      String name, List<Failure> failures, List<? extends Finding> findings) {
    return new StageRecord(
        name,
        "what " + name + " shows " + HOSTILE,
        "fingerprint",
        List.of(),
        61.5,
        90,
        failures,
        Findings.of(findings));
  }

  private static Failure failure(String what) {
    return new Failure(what, "line 1\n" + HOSTILE, "./verify.sh tlc 'MCMap " + HOSTILE + "'");
  }

  private static List<ModelResult> models() {
    ModelResult main =
        new ModelResult(
            "SequencedCommit",
            "MCSequencedCommit",
            Kind.HOLDS,
            Verdict.HOLDS,
            Verdict.HOLDS,
            null,
            List.of("TypeOK", "VisibleIsDurableInv"),
            false,
            "actions that are never taken: Park " + HOSTILE,
            1_234_567,
            43,
            61.25,
            List.of(
                new ActionCount("Invoke", 1_000, 90_000),
                new ActionCount("Crash", 10, 80),
                new ActionCount("Park", 0, 0)),
            List.of("Park"),
            List.of());
    ModelResult control =
        new ModelResult(
            "SequencedCommit",
            "MCSequencedCommitBugForce" + HOSTILE,
            Kind.BUG,
            Verdict.VIOLATED,
            Verdict.VIOLATED,
            "VisibleIsDurableInv",
            List.of("VisibleIsDurableInv"),
            true,
            null,
            321,
            5,
            1.5,
            List.of(new ActionCount("Invoke", 1, 2)),
            List.of(),
            counterexample());
    return List.of(main, control);
  }

  static List<Step> counterexample() {
    return List.of(
        step(1, "Initial predicate", thread("idle", "idle"), "<<>>", 0, "{}"),
        step(2, "Invoke", thread("invoked", "idle"), "<<>>", 0, "{}"),
        step(3, "WriteFrame", thread("write", "queued"), "<<[lsn |-> 1]>>", 0, "{}"),
        step(4, "WriteFrame", thread("write", "queued"), "<<[lsn |-> 1]>>", 0, "{[lsn |-> 1]}"),
        step(5, HOSTILE, thread("drain", "queued"), "<<[lsn |-> 1]>>", 1, "{}"));
  }

  private static String thread(String first, String second) {
    return String.format("(w1 :> [pc |-> \"%s\"] @@ w2 :> [pc |-> \"%s\"])", first, second);
  }

  private static Step step(
      int number, String action, String thread, String cells, int visible, String pending) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("thread", thread);
    variables.put("cells", cells);
    variables.put("visible", String.valueOf(visible));
    variables.put("flush", "[written |-> 0]");
    variables.put("pending", pending);
    variables.put("status", "\"open\"");
    return new Step(number, action, variables);
  }

  private static List<Finding> tests() {
    List<Finding> all = new ArrayList<>();
    all.add(test("passes", TestResult.Status.PASSED, null));
    all.add(test("fails " + HOSTILE, TestResult.Status.FAILED, "at line 1\n" + HOSTILE));
    all.add(
        new TraceResult(
            "SequencedCommit",
            HOSTILE,
            20_000,
            8,
            true,
            TraceResult.Result.ACCEPTED,
            9_876.5,
            null));
    all.add(
        new TraceResult(
            "SequencedCommit",
            "other",
            10,
            1,
            false,
            TraceResult.Result.REJECTED,
            9.5,
            "line 3 " + HOSTILE));
    all.add(
        new CorruptedTraces(
            1_027,
            1_026,
            List.of(
                new CorruptedTraces.Change("drop MakeVisible", 23, 23),
                new CorruptedTraces.Change("change " + HOSTILE, 4, 3),
                new CorruptedTraces.Change("repeat CommitVersion", 1_000, 1_000))));
    all.add(new CrashResult(12_345, 6_789, 20, 1_000_000, 0, 0));
    all.add(
        new MutantResult(
            "VisibleIsDurableInv-" + HOSTILE,
            "SequencedCommit!VisibleIsDurableInv",
            "a.b.CTest#method",
            MutantResult.Result.KILLED,
            "--- a/A.java\n+++ b/A.java\n@@ -1 +1 @@\n-force();\n+// " + HOSTILE,
            2.5,
            null));
    all.add(new LincheckResult("a.b.LTest#explores", TestResult.Status.PASSED, 3.5));
    all.add(
        new JcstressResult(
            "org.overlaytrie.broken.ABroken",
            true,
            JcstressResult.Result.FORBIDDEN,
            true,
            1_000,
            List.of(new JcstressResult.Outcome("1, 0", 56, "FORBIDDEN", HOSTILE)),
            List.of("SequencedCommit!VisibleIsDurableInv")));
    return all;
  }

  private static TestResult test(String name, TestResult.Status status, String message) {
    return new TestResult(
        "tests",
        "org.overlaytrie.ATest",
        "method",
        name,
        status,
        0.25,
        message,
        Map.of("seed", HOSTILE),
        List.of(),
        List.of("SequencedCommit!VisibleIsDurableInv"));
  }

  private static List<MatrixRow> rows() {
    Map<String, Cell> cells = new LinkedHashMap<>();
    for (String column : COLUMNS) {
      cells.put(
          column, new Cell(State.GREEN, List.of(new Evidence("MCSequencedCommit", HOSTILE)), null));
    }
    cells.put("memory", new Cell(State.EXCUSED, List.of(), "no race " + HOSTILE));
    cells.put("crash", new Cell(State.RED, List.of(), "no test " + HOSTILE));
    return List.of(new MatrixRow("SequencedCommit!VisibleIsDurableInv", cells));
  }
}
