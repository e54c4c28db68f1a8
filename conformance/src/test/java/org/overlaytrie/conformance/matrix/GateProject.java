package org.overlaytrie.conformance.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.JcstressResult;
import org.overlaytrie.conformance.report.ModelResult;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TraceResult;

/**
 * A small project with one invariant and evidence of every kind, and what a green run of it finds;
 * the tests take pieces away from both.
 */
final class GateProject {

  static final String INVARIANT = "Gates!OpenInv";

  private GateProject() {}

  /** Writes the project. */
  static void write(Path root) throws IOException {
    file(
        root,
        "specs/matrix.json",
        """
        {"invariants": [{"name": "Gates!OpenInv", "excused": {}}]}
        """);
    file(
        root,
        "specs/manifest.json",
        """
        {"models": [
          {"module": "Gates", "config": "MCGates", "kind": "holds", "expected": "holds",
           "property": null, "distinctStates": 4, "diameter": 2, "timeClass": "default", "everyAction": true},
          {"module": "Gates", "config": "MCGatesDeep", "kind": "holds", "expected": "holds",
           "property": null, "distinctStates": 400, "diameter": 20, "timeClass": "deep"},
          {"module": "Gates", "config": "MCGatesBugLimit", "kind": "bug", "expected": "violated",
           "property": "OpenInv", "distinctStates": null, "diameter": null, "timeClass": "default"}
        ]}
        """);
    file(
        root,
        "specs/Gates.tla",
        """
        ---- MODULE Gates ----
        (* HiddenInv == commented out *)
        \\* OtherInv == also

        (* The gate is open,    *)
        (* whoever comes.       *)
        OpenInv == TRUE
        Open == OpenInv
        ====
        """);
    String configuration =
        """
        SPECIFICATION Spec
        CONSTANTS Limit = 1 \\* small
        INVARIANTS TypeOK
          OpenInv
        CHECK_DEADLOCK FALSE
        """;
    file(root, "specs/MCGates.cfg", configuration);
    file(root, "specs/MCGatesDeep.cfg", configuration);
    file(root, "specs/MCGatesBugLimit.cfg", configuration);
    file(root, "specs/TraceGates.cfg", configuration);
    file(
        root,
        "impl/src/main/java/org/overlaytrie/spec/Invariants.java",
        """
        package org.overlaytrie.spec;
        public final class Invariants { public static void openInv() {} }
        """);
    file(
        root,
        "impl/src/main/java/gate/Gate.java",
        """
        package gate;
        class Gate {
          static class Bar { @Upholds("Gates!OpenInv") void lift() {} }
        }
        """);
    file(
        root,
        "impl/src/test/java/gate/GateTest.java",
        """
        package gate;
        @Checks("Gates!OpenInv") class GateTest { @Test void opens() { Invariants.openInv(); } }
        """);
    file(
        root,
        "conformance/src/test/java/org/overlaytrie/conformance/crash/GateCrashTest.java",
        """
        package org.overlaytrie.conformance.crash;
        class GateCrashTest { @Checks({"Gates!OpenInv"}) @Test void opensAgain() {} }
        """);
    file(
        root,
        "lincheck/src/test/java/gate/GateScheduleTest.java",
        """
        package gate;
        class GateScheduleTest { @Checks("Gates!OpenInv") @Test void opensForTwo() {} }
        """);
    file(
        root,
        "jcstress/src/main/java/gate/GateIsSeenOpen.java",
        """
        package gate;
        @Checks("Gates!OpenInv") class GateIsSeenOpen {}
        """);
    file(
        root,
        "conformance/mutants/OpenInv-shut.patch",
        """
        Invariant: Gates!OpenInv
        Guard: The bar is not lifted.
        Killed-by: gate.GateTest#opens

        --- a/impl/src/main/java/gate/Gate.java
        +++ b/impl/src/main/java/gate/Gate.java
        @@ -1,2 +1,2 @@
         package gate;
        -class Gate {
        +class Gate { //
        """);
  }

  /** Replaces or adds a file. */
  static void file(Path root, String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** What a run finds in which everything is as it must be. */
  static List<Finding> findings() {
    return List.of(
        model("MCGates", ModelResult.Kind.HOLDS, ModelResult.Verdict.HOLDS, null, true),
        model(
            "MCGatesBugLimit", ModelResult.Kind.BUG, ModelResult.Verdict.VIOLATED, "OpenInv", true),
        trace(TraceResult.Result.ACCEPTED),
        test("gate.GateTest", "opens", TestResult.Status.PASSED),
        test(
            "org.overlaytrie.conformance.crash.GateCrashTest",
            "opensAgain",
            TestResult.Status.PASSED),
        test("gate.GateScheduleTest", "opensForTwo", TestResult.Status.PASSED),
        jcstress(true),
        mutant(MutantResult.Result.KILLED));
  }

  static ModelResult model(
      String config,
      ModelResult.Kind kind,
      ModelResult.Verdict result,
      String property,
      boolean passed) {
    return new ModelResult(
        "Gates",
        config,
        kind,
        result,
        result,
        property,
        List.of("TypeOK", "OpenInv"),
        passed,
        passed ? null : "5 states instead of 4",
        4321,
        2,
        1.5,
        List.of(),
        List.of(),
        List.of());
  }

  static TraceResult trace(TraceResult.Result result) {
    return new TraceResult("Gates", "two threads", 20_000, 2, false, result, 9_000, null);
  }

  static TestResult test(String className, String method, TestResult.Status status) {
    return new TestResult(
        "tests", className, method, method, status, 0.1, null, Map.of(), List.of(), List.of());
  }

  static JcstressResult jcstress(boolean passed) {
    return new JcstressResult(
        "gate.GateIsSeenOpen",
        false,
        passed ? JcstressResult.Result.ALLOWED : JcstressResult.Result.FORBIDDEN,
        passed,
        1_000_000,
        List.of(),
        List.of(INVARIANT));
  }

  static MutantResult mutant(MutantResult.Result result) {
    boolean killed = result == MutantResult.Result.KILLED;
    return new MutantResult(
        "OpenInv-shut",
        INVARIANT,
        killed ? "gate.GateTest#opens" : null,
        result,
        "patch",
        0.5,
        killed ? null : "all its tests pass");
  }
}
