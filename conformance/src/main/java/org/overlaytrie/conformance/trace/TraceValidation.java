package org.overlaytrie.conformance.trace;

import java.io.IOException;
import java.nio.file.Path;
import org.overlaytrie.conformance.report.TraceResult;
import org.overlaytrie.conformance.report.TraceResult.Result;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** From a trace file to the verdict. */
final class TraceValidation {
  static final String MODULE = "SequencedCommit";

  private TraceValidation() {}

  /**
   * Reads a trace, puts it in order and has TLC check it.
   *
   * @param name what was recorded
   * @param specs the directory of the specifications
   * @param work a directory for this trace alone
   * @throws IOException if the file cannot be read, or TLC cannot be run
   */
  static TraceResult validate(String name, Path file, Path specs, Path work)
      throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    Trace trace = new Trace(java.util.List.of());
    String problem;
    try {
      trace = TraceFile.read(file);
      problem = TraceCheck.check(specs, work, Linearizer.linearize(trace));
    } catch (TraceProblem e) {
      problem = e.getMessage();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return new TraceResult(
        module(trace),
        name,
        trace.size(),
        trace.threads(),
        trace.killed(),
        problem == null ? Result.ACCEPTED : Result.REJECTED,
        trace.size() / seconds,
        problem);
  }

  /** The module whose steps are in the trace, besides those of {@value #MODULE}. */
  private static String module(Trace trace) {
    if (has(trace, Kind.ANSWER_UNFORCED)) {
      return "BufferedCommit";
    }
    return has(trace, Kind.LEAVE_STAGE) ? "AsyncCommit" : MODULE;
  }

  private static boolean has(Trace trace, Kind kind) {
    return trace.runs().stream().anyMatch(run -> run.events(kind).findAny().isPresent());
  }
}
