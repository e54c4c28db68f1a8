package org.overlaytrie.conformance.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.overlaytrie.conformance.report.ModelResult.Verdict;
import org.overlaytrie.conformance.tlc.TlcJob;
import org.overlaytrie.conformance.tlc.TlcOutcome;
import org.overlaytrie.conformance.tlc.TlcRunner;

/** Has TLC check that lines are a behaviour of {@code SequencedCommit}. */
final class TraceCheck {
  private static final String MODULE = "TraceSequencedCommit";
  private static final Duration TIMEOUT = Duration.ofMinutes(30);
  private static final int LINES_SHOWN = 5;

  private TraceCheck() {}

  /**
   * Checks one trace.
   *
   * @param specs the directory of the specifications
   * @param work a directory for this run alone
   * @return why the specification does not explain it; null if it does
   */
  static String check(Path specs, Path work, List<Line> lines)
      throws IOException, InterruptedException {
    return check(specs, specs.resolve(MODULE + ".cfg"), work, lines);
  }

  /** The same with another configuration of the specification. */
  static String check(Path specs, Path config, Path work, List<Line> lines)
      throws IOException, InterruptedException {
    TlcOutcome outcome = run(specs, work, config, List.of(lines));
    Progress progress = Progress.read(verdictFile(work)).get(0);
    if (outcome.verdict() == Verdict.VIOLATED) {
      return outcome.property() + " is violated after " + progress.where(lines, progress.reached());
    }
    if (outcome.verdict() != Verdict.HOLDS) {
      throw new IOException(
          "TLC failed on the trace, see " + outcome.log() + "\n" + outcome.error());
    }
    return progress.reached() == lines.size()
        ? null
        : "no action of SequencedCommit explains " + progress.where(lines, progress.reached() + 1);
  }

  /**
   * Checks many short traces at once.
   *
   * @return for each, whether it is a behaviour of the specification
   */
  static List<Boolean> checkMany(Path specs, Path work, List<List<Line>> traces)
      throws IOException, InterruptedException {
    TlcOutcome outcome = run(specs, work, specs.resolve(MODULE + "Many.cfg"), traces);
    if (outcome.verdict() != Verdict.HOLDS) {
      throw new IOException(
          "TLC failed on the traces, see " + outcome.log() + "\n" + outcome.error());
    }
    List<Progress> progress = Progress.read(verdictFile(work));
    List<Boolean> accepted = new ArrayList<>();
    for (int i = 0; i < traces.size(); i++) {
      accepted.add(progress.get(i).reached() == traces.get(i).size() + 1);
    }
    return accepted;
  }

  private static TlcOutcome run(Path specs, Path work, Path config, List<List<Line>> traces)
      throws IOException, InterruptedException {
    Files.createDirectories(work);
    Path linesFile = work.resolve("lines.txt").toAbsolutePath();
    try (BufferedWriter writer = Files.newBufferedWriter(linesFile)) {
      for (List<Line> lines : traces) {
        for (Line line : lines) {
          writer.write(line.encode());
          writer.write('\n');
        }
        writer.write(TraceOperators.END_OF_TRACE + "\n");
      }
    }
    TlcJob job =
        new TlcJob(
            specs,
            MODULE,
            config,
            List.of(classes()),
            // Most runs are too short to earn what the optimizing compiler costs.
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Xss64m", // where writers do not wait, TLC recurs over all that is unforced
                "-D" + TraceOperators.LINES_PROPERTY + "=" + linesFile,
                "-D" + TraceOperators.VERDICT_PROPERTY + "=" + verdictFile(work)),
            List.of("-difftrace"),
            TIMEOUT);
    return TlcRunner.run(job, work, distinct -> {});
  }

  private static Path verdictFile(Path work) {
    return work.resolve("verdict.txt").toAbsolutePath();
  }

  /** Where the Java code behind the operators was compiled to. */
  private static Path classes() {
    try {
      return Path.of(
          TraceOperators.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * How many lines of a trace were explained, and what {@link TraceOperators} tells of the rest.
   */
  private record Progress(int reached, String states) {

    static List<Progress> read(Path file) throws IOException {
      List<Progress> all = new ArrayList<>();
      StringBuilder states = new StringBuilder();
      for (String text : Files.readAllLines(file)) {
        if (text.startsWith(TraceOperators.END_OF_TRACE)) {
          String reached = text.substring(TraceOperators.END_OF_TRACE.length());
          all.add(new Progress(Integer.parseInt(reached), states.toString()));
          states.setLength(0);
        } else {
          states.append(text).append('\n');
        }
      }
      return all;
    }

    /** The line with this number, those before it, and what the specification held there. */
    String where(List<Line> lines, int number) {
      Line line = lines.get(number - 1);
      String thread = line.fields().get("thread");
      StringBuilder text = new StringBuilder();
      text.append("line ").append(number).append(" of ").append(lines.size()).append(": ");
      text.append(line).append("\nbefore it");
      append(text, lines, number - 1, null);
      if (thread != null) {
        text.append("\nby the same thread");
        append(text, lines, number - 1, thread);
      }
      text.append("\nThe states of the specification, first whole and then what changed:\n");
      return text.append(states).toString();
    }

    /** The last lines up to one, of a thread or of all. */
    private static void append(StringBuilder text, List<Line> lines, int last, String thread) {
      Deque<Integer> shown = new ArrayDeque<>();
      for (int i = last; i >= 1 && shown.size() < LINES_SHOWN; i--) {
        if (thread == null || thread.equals(lines.get(i - 1).fields().get("thread"))) {
          shown.addFirst(i);
        }
      }
      for (int i : shown) {
        text.append("\n  ").append(i).append(": ").append(lines.get(i - 1));
      }
    }
  }
}
