package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.conformance.report.StageRecord.StageLine;
import org.overlaytrie.conformance.report.StageRecord.Status;

/**
 * Everything that a run found: {@code report.json}.
 *
 * @param status fail if any stage failed
 * @param seconds wall-clock time of the command
 * @param finished when the command ended, in ISO 8601
 * @param commit the checkout's commit, with {@code +changes} if files differ from it
 * @param host where it ran
 * @param stages every stage of the project, those that did not run as absent
 * @param models what TLC found
 * @param matrix the evidence behind each invariant
 * @param traces recorded executions
 * @param corruptedTraces traces changed on purpose
 * @param crash what the crash tests went through
 * @param mutants guards removed from the code
 * @param lincheck linearizability tests
 * @param jcstress memory-model tests
 * @param tests every JUnit test that ran
 */
public record VerifyReport(
    Status status,
    double seconds,
    String finished,
    String commit,
    Host host,
    List<StageLine> stages,
    List<ModelResult> models,
    List<MatrixRow> matrix,
    List<TraceResult> traces,
    CorruptedTraces corruptedTraces,
    CrashResult crash,
    List<MutantResult> mutants,
    List<LincheckResult> lincheck,
    List<JcstressResult> jcstress,
    List<TestResult> tests) {

  /**
   * Where a run took place.
   *
   * @param cpus processors
   * @param jdk version and vendor
   * @param os name, version and architecture
   */
  public record Host(int cpus, String jdk, String os) {

    /** This one. */
    public static Host here() {
      return new Host(
          Runtime.getRuntime().availableProcessors(),
          Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
          String.join(
              " ",
              System.getProperty("os.name"),
              System.getProperty("os.version"),
              System.getProperty("os.arch")));
    }
  }

  /**
   * What a command did around its stages.
   *
   * @param seconds wall-clock time, the build included
   * @param buildSeconds of which the build took so long
   * @param finished when it ended, in ISO 8601
   * @param commit the checkout's commit
   * @param host where it ran
   */
  public record Command(
      double seconds, double buildSeconds, String finished, String commit, Host host) {}

  /** Puts the records together, in their order; stages without one are absent. */
  public static VerifyReport of(Command command, List<String> stages, List<StageRecord> records) {
    List<StageLine> lines = new ArrayList<>();
    lines.add(
        new StageLine(
            "build",
            Status.PASS,
            command.buildSeconds,
            0,
            List.of(),
            "every module compiles without a warning",
            List.of()));
    Findings findings = Findings.NONE;
    for (String stage : stages) {
      StageLine line = new StageLine(stage, Status.ABSENT, 0, 0, List.of(), "", List.of());
      for (StageRecord stageRecord : records) {
        if (stageRecord.name().equals(stage)) {
          line = stageRecord.line();
          findings = findings.plus(stageRecord.findings());
        }
      }
      lines.add(line);
    }
    boolean failed = lines.stream().anyMatch(line -> line.status() == Status.FAIL);
    return new VerifyReport(
        failed ? Status.FAIL : Status.PASS,
        command.seconds,
        command.finished,
        command.commit,
        command.host,
        lines,
        findings.models(),
        findings.matrix(),
        findings.traces(),
        findings.corruptedTraces(),
        findings.crash(),
        findings.mutants(),
        findings.lincheck(),
        findings.jcstress(),
        findings.tests());
  }
}
