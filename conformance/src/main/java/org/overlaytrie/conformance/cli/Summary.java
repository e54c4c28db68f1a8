package org.overlaytrie.conformance.cli;

import java.io.PrintStream;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.StageRecord.StageLine;
import org.overlaytrie.conformance.report.StageRecord.Status;
import org.overlaytrie.conformance.report.VerifyReport;

/** The last words of a command: a line per stage, and what failed. */
final class Summary {

  private static final int DETAIL_LINES = 12;

  private final PrintStream out;

  Summary(PrintStream out) {
    this.out = out;
  }

  void print(VerifyReport report, Checkout checkout) {
    out.println();
    for (StageLine stage : report.stages()) {
      out.printf(
          "%-9s %-7s %s%n",
          stage.name(),
          switch (stage.status()) {
            case PASS -> "ok";
            case FAIL -> "FAILED";
            case ABSENT -> "not run";
          },
          stage.status() == Status.ABSENT ? "" : time(stage));
    }
    for (StageLine stage : report.stages()) {
      stage.failures().forEach(failure -> print(stage.name(), failure));
    }
    out.println();
    out.println(
        (report.status() == Status.PASS ? "Green" : "FAILED")
            + " after "
            + Console.clock((long) (report.seconds() * 1e9))
            + ". Report: "
            + checkout.root().relativize(checkout.output().resolve("report.html")));
    out.flush();
  }

  private static String time(StageLine stage) {
    String took = Console.clock((long) (stage.seconds() * 1e9));
    return stage.expectedSeconds() == 0
        ? took
        : took + " of about " + Console.clock((long) (stage.expectedSeconds() * 1e9));
  }

  private void print(String stage, Failure failure) {
    out.println();
    out.println(stage + ": " + failure.what());
    failure
        .detail()
        .lines()
        .filter(line -> !line.equals(failure.what()))
        .limit(DETAIL_LINES)
        .forEach(line -> out.println("    " + line));
    out.println("    again: " + failure.rerun());
  }
}
