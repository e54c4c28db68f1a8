package org.overlaytrie.conformance.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.overlaytrie.conformance.report.ModelResult.Kind;
import org.overlaytrie.conformance.report.StageRecord.StageLine;
import org.overlaytrie.conformance.report.StageRecord.Status;

/** What the page shows beyond the report's own fields; its public methods are for the template. */
public final class ReportView {

  private final VerifyReport report;
  private final Path specs;

  ReportView(VerifyReport report, Path specs) {
    this.report = report;
    this.specs = specs;
  }

  /**
   * A figure at the head of the page.
   *
   * @param value the figure
   * @param label what it counts
   * @param isGood whether it is as it must be
   * @param section where more is said
   */
  public record Figure(String value, String label, boolean isGood, String section) {}

  /** The figures of what ran. */
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    ratio(figures, "models", "models hold", models(true));
    ratio(figures, "models", "controls refuted as they must be", models(false));
    long states = report.models().stream().mapToLong(ModelResult::distinctStates).sum();
    count(figures, "models", "distinct states checked", states);
    ratio(
        figures,
        "traces",
        "recorded executions explained",
        report.traces().stream()
            .map(trace -> trace.result() == TraceResult.Result.ACCEPTED)
            .toList());
    CorruptedTraces corrupted = report.corruptedTraces();
    ratio(figures, "traces", "corrupted traces rejected", corrupted.rejected(), corrupted.tried());
    CrashResult crash = report.crash();
    count(figures, "crashes", "simulated crashes", crash.exhaustivePoints() + crash.randomRuns());
    if (crash.kills() > 0) {
      String value = String.format("%,d", crash.lost());
      String label =
          String.format(
              "of %,d acknowledged writes lost in %,d kills", crash.acknowledged(), crash.kills());
      boolean isGood = crash.lost() == 0 && crash.invented() == 0;
      figures.add(new Figure(value, label, isGood, "crashes"));
    }
    ratio(
        figures,
        "mutants",
        "mutants killed",
        report.mutants().stream()
            .map(mutant -> mutant.result() == MutantResult.Result.KILLED)
            .toList());
    ratio(
        figures,
        "memory",
        "memory-model tests as they must be",
        report.jcstress().stream().map(JcstressResult::passed).toList());
    ratio(
        figures,
        "tests",
        "tests pass",
        report.tests().stream()
            .filter(test -> test.status() != TestResult.Status.SKIPPED)
            .map(test -> test.status() == TestResult.Status.PASSED)
            .toList());
    return figures;
  }

  private List<Boolean> models(boolean holding) {
    return report.models().stream()
        .filter(model -> (model.kind() == Kind.HOLDS || model.kind() == Kind.TRACE) == holding)
        .map(ModelResult::passed)
        .toList();
  }

  private static void ratio(
      List<Figure> figures, String section, String label, List<Boolean> good) {
    ratio(figures, section, label, good.stream().filter(one -> one).count(), good.size());
  }

  private static void ratio(
      List<Figure> figures, String section, String label, long good, long all) {
    if (all > 0) {
      String value =
          good == all ? String.format("%,d", all) : String.format("%,d of %,d", good, all);
      figures.add(new Figure(value, label, good == all, section));
    }
  }

  private static void count(List<Figure> figures, String section, String label, long count) {
    if (count > 0) {
      figures.add(new Figure(String.format("%,d", count), label, true, section));
    }
  }

  /** Stages that failed. */
  public List<StageLine> failed() {
    return report.stages().stream().filter(stage -> stage.status() == Status.FAIL).toList();
  }

  /** How many failures there are. */
  public int failures() {
    return report.stages().stream().mapToInt(stage -> stage.failures().size()).sum();
  }

  /** How many stages ran, the build included. */
  public int ran() {
    return stages() - absent().size();
  }

  /** How many stages there are, the build included. */
  public int stages() {
    return report.stages().size();
  }

  /** Stages that did not run. */
  public List<String> absent() {
    return report.stages().stream()
        .filter(stage -> stage.status() == Status.ABSENT)
        .map(StageLine::name)
        .toList();
  }

  /** How wide the bar of a stage's time is, in percent of the longest. */
  public double share(double seconds) {
    double longest =
        report.stages().stream()
            .mapToDouble(stage -> Math.max(stage.seconds(), stage.expectedSeconds()))
            .max()
            .orElse(1);
    return 100 * seconds / Math.max(longest, 1);
  }

  /** Minutes and seconds. */
  public String clock(double seconds) {
    long whole = Math.round(seconds);
    return String.format("%d:%02d", whole / 60, whole % 60);
  }

  /** How tall the bar of an action is, in percent: the logarithm of how often it was taken. */
  public double height(ModelResult model, long generated) {
    long most =
        model.actions().stream().mapToLong(ModelResult.ActionCount::generated).max().orElse(1);
    return 100 * Math.log1p((double) generated) / Math.log1p((double) Math.max(most, 1));
  }

  /** The names of the matrix's columns. */
  public List<String> columns() {
    return report.matrix().isEmpty()
        ? List.of()
        : List.copyOf(report.matrix().get(0).columns().keySet());
  }

  /** The tests by stage, and by class within it. */
  public Map<String, Map<String, List<TestResult>>> tests() {
    Map<String, Map<String, List<TestResult>>> stages = new LinkedHashMap<>();
    report.tests().stream()
        .sorted(Comparator.comparing(TestResult::className))
        .forEach(
            test ->
                stages
                    .computeIfAbsent(test.stage(), name -> new LinkedHashMap<>())
                    .computeIfAbsent(test.className(), name -> new ArrayList<>())
                    .add(test));
    return stages;
  }

  /** How many of the tests have this outcome. */
  public long count(List<TestResult> tests, String status) {
    return tests.stream().filter(test -> test.status().name().equalsIgnoreCase(status)).count();
  }

  /** How long the tests took together. */
  public double seconds(List<TestResult> tests) {
    return tests.stream().mapToDouble(TestResult::seconds).sum();
  }

  /** What the page's script needs, as JSON that may stand in a script element. */
  public String data() {
    Map<String, Object> data = new HashMap<>();
    data.put("charts", charts());
    data.put("matrix", report.matrix());
    return Json.line(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  /** The counterexamples. */
  public List<Chart> charts() {
    return report.models().stream()
        .filter(model -> !model.counterexample().isEmpty())
        .map(model -> Chart.of(model, VariableGroups.of(specs.resolve(model.module() + ".tla"))))
        .toList();
  }
}
