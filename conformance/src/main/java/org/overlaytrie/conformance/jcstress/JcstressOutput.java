package org.overlaytrie.conformance.jcstress;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.overlaytrie.conformance.report.JcstressResult.Outcome;
import org.overlaytrie.conformance.report.JcstressResult.Result;

/** Reads what jcstress prints. For one thread. */
final class JcstressOutput {

  private static final Pattern TEST = Pattern.compile("\\.+ \\[([A-Z ]+)] (\\S+)");
  private static final Pattern OUTCOME =
      Pattern.compile("\\s+(\\S.*?)\\s+([\\d,]+)\\s+<?[\\d.]+%\\s+(\\w+)\\s*(.*)");
  private static final Pattern PROGRESS = Pattern.compile("\\(Results: (.*)\\)");

  private final Map<String, Test> tests = new LinkedHashMap<>();
  private Test current;
  private boolean inResults;
  private String progress = "";

  /** One test, over all JVM variants. */
  static final class Test {
    private final String status;
    private final List<Outcome> outcomes = new ArrayList<>();

    Test(String status) {
      this.status = status;
    }

    List<Outcome> outcomes() {
      return List.copyOf(outcomes);
    }

    long samples() {
      return outcomes.stream().mapToLong(Outcome::samples).sum();
    }

    /** Judged by what was seen, and the verdict of jcstress must agree. */
    Result result() {
      boolean forbidden =
          outcomes.stream()
              .anyMatch(seen -> seen.expectation().equals("FORBIDDEN") && seen.samples() > 0);
      if (samples() > 0 && forbidden && status.equals("FAILED")) {
        return Result.FORBIDDEN;
      }
      return samples() > 0 && !forbidden && status.equals("OK") ? Result.ALLOWED : Result.ERROR;
    }
  }

  /** Takes the next line. */
  void read(String line) {
    Matcher counted = PROGRESS.matcher(line);
    if (counted.matches()) {
      progress = counted.group(1);
    }
    if (line.startsWith("RUN RESULTS:")) {
      inResults = true;
    }
    if (!inResults) {
      return;
    }
    Matcher test = TEST.matcher(line);
    if (test.matches()) {
      current = new Test(test.group(1));
      tests.put(test.group(2), current);
      return;
    }
    Matcher outcome = OUTCOME.matcher(line);
    if (current != null && outcome.matches()) {
      current.outcomes.add(
          new Outcome(
              outcome.group(1),
              Long.parseLong(outcome.group(2).replace(",", "")),
              outcome.group(3).toUpperCase(Locale.ROOT),
              outcome.group(4)));
    }
  }

  /** The tests that have results, by class name. */
  Map<String, Test> tests() {
    return tests;
  }

  /** How far the run is, in the words of jcstress. */
  String progress() {
    return progress;
  }
}
