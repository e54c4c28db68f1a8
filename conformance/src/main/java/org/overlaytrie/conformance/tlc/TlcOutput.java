package org.overlaytrie.conformance.tlc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/**
 * Reads what TLC prints with {@code -tool}, line by line: messages between a line that gives their
 * code and severity and a line that ends them, with free text (the parser's) around them. For one
 * thread.
 */
final class TlcOutput {

  private static final Pattern START = Pattern.compile("@!@!@STARTMSG (\\d+):(\\d+) @!@!@");
  private static final Pattern END = Pattern.compile("@!@!@ENDMSG \\d+ @!@!@");
  private static final Pattern COUNTS =
      Pattern.compile(
          "([\\d,]+) states generated.*?([\\d,]+) distinct states found", Pattern.DOTALL);
  private static final Pattern DEPTH = Pattern.compile("search is ([\\d,]+)");
  private static final Pattern ACTION = Pattern.compile("<(\\S+) (line .*)>: (\\d+):(\\d+)");
  private static final Pattern VIOLATED =
      Pattern.compile("(?:Invariant|Action property|Property) (.+?) is violated", Pattern.DOTALL);
  private static final int SEVERITY_ERROR = 1;
  private static final int SEVERITY_BUG = 2;
  private static final int FREE_LINES = 12;

  private final ActionNames names;
  private final StringBuilder text = new StringBuilder();
  private final List<String> freeText = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Map<String, ActionCount> actions = new LinkedHashMap<>();
  private final List<Step> counterexample = new ArrayList<>();
  private int code = -1;
  private int severity;
  private boolean succeeded;
  private boolean deadlocked;
  private boolean violated;
  private String property;
  private long generated;
  private long distinct;
  private int depth;

  TlcOutput(ActionNames names) {
    this.names = names;
  }

  /** Takes the next line. */
  void read(String line) {
    Matcher start = START.matcher(line);
    if (start.matches()) {
      code = Integer.parseInt(start.group(1));
      severity = Integer.parseInt(start.group(2));
      text.setLength(0);
    } else if (END.matcher(line).matches()) {
      message(text.toString().strip());
      code = -1;
    } else if (code >= 0) {
      text.append(line).append('\n');
    } else if (!line.isBlank()) {
      freeText.add(line);
    }
  }

  private void message(String message) {
    switch (code) {
      case 2193 -> succeeded = true;
      case 2114 -> deadlocked = true;
      case 2107, 2108, 2110, 2112 -> {
        violated = true;
        Matcher named = VIOLATED.matcher(message);
        property = named.find() ? named.group(1) : null;
      }
      case 2116 -> violated = true;
      case 2194 -> depth = (int) number(DEPTH, message, 1);
      case 2199, 2200 -> {
        generated = number(COUNTS, message, 1);
        distinct = number(COUNTS, message, 2);
      }
      case 2201 -> actions.clear();
      case 2772 -> action(message);
      case 2217, 2218, 2122 -> counterexample.add(TlcState.parse(message, names));
      // TLC only warns that symmetry makes it miss violations of liveness.
      case 2279 -> complaints.add(message);
      case 2121, 2264 -> {}
      default -> {
        if (severity == SEVERITY_ERROR || severity == SEVERITY_BUG) {
          complaints.add(message);
        }
      }
    }
  }

  private void action(String message) {
    Matcher matcher = ACTION.matcher(message);
    if (!matcher.matches()) {
      complaints.add("unknown coverage line: " + message);
      return;
    }
    ActionCount count =
        new ActionCount(
            names.resolve(matcher.group(1), matcher.group(2)),
            Long.parseLong(matcher.group(3)),
            Long.parseLong(matcher.group(4)));
    // An action that the next-state relation names twice, or in two ways, has two lines.
    actions.merge(
        count.action(),
        count,
        (one, two) ->
            new ActionCount(
                one.action(), one.distinct() + two.distinct(), one.generated() + two.generated()));
  }

  private long number(Pattern pattern, String message, int group) {
    Matcher matcher = pattern.matcher(message);
    if (!matcher.find()) {
      complaints.add("unknown counts: " + message);
      return 0;
    }
    return Long.parseLong(matcher.group(group).replace(",", ""));
  }

  long distinct() {
    return distinct;
  }

  long generated() {
    return generated;
  }

  int depth() {
    return depth;
  }

  String property() {
    return property;
  }

  List<ActionCount> actions() {
    return List.copyOf(actions.values());
  }

  List<Step> counterexample() {
    return List.copyOf(counterexample);
  }

  /** How the run ended, if both the exit status and the messages say so. */
  Verdict verdict(int exitStatus) {
    if (!complaints.isEmpty()) {
      return Verdict.ERROR;
    }
    return switch (exitStatus) {
      case 0 -> succeeded && !violated && !deadlocked ? Verdict.HOLDS : Verdict.ERROR;
      case 11 -> deadlocked ? Verdict.DEADLOCK : Verdict.ERROR;
      case 12, 13 -> violated ? Verdict.VIOLATED : Verdict.ERROR;
      default -> Verdict.ERROR;
    };
  }

  /** What TLC complained about, in its messages and around them. */
  String complaint() {
    List<String> all = new ArrayList<>(complaints);
    freeText.stream()
        .filter(line -> !line.startsWith("Parsing file ") && !line.startsWith("Semantic proc"))
        .limit(FREE_LINES)
        .forEach(all::add);
    return String.join("\n", all);
  }
}
