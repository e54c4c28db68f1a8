package org.overlaytrie.conformance.tlc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.overlaytrie.conformance.report.ModelResult.Step;

/** Reads one state of a counterexample. */
final class TlcState {

  private static final Pattern HEAD = Pattern.compile("(\\d+): (.*)");
  private static final Pattern NAMED = Pattern.compile("<(\\S+) (line .*)>");
  private static final Pattern VARIABLE = Pattern.compile("(?:/\\\\ )?(\\w+) = (.*)");

  private TlcState() {}

  /**
   * The state in a message of TLC: a line with its number and what led to it, and then a conjunct
   * per variable, whose value may go on over several lines.
   */
  static Step parse(String message, ActionNames names) {
    String[] lines = message.split("\n");
    Matcher head = HEAD.matcher(lines[0]);
    if (!head.matches()) {
      throw new IllegalArgumentException("no state: " + message);
    }
    int number = Integer.parseInt(head.group(1));
    return new Step(number, action(number, head.group(2).strip(), names), variables(lines));
  }

  private static String action(int number, String what, ActionNames names) {
    Matcher named = NAMED.matcher(what);
    if (named.matches()) {
      return names.resolve(named.group(1), named.group(2));
    }
    if (what.startsWith("Back to state")) {
      return "Back to state " + number;
    }
    return what.startsWith("<") && what.endsWith(">") ? what.substring(1, what.length() - 1) : what;
  }

  private static Map<String, String> variables(String[] lines) {
    Map<String, String> variables = new LinkedHashMap<>();
    String name = null;
    for (int i = 1; i < lines.length; i++) {
      Matcher variable = VARIABLE.matcher(lines[i]);
      // Only the first line of a conjunct starts at the margin.
      if (variable.matches() && (name == null || lines[i].startsWith("/\\ "))) {
        name = variable.group(1);
        variables.put(name, variable.group(2));
      } else if (name != null) {
        variables.merge(name, lines[i], (value, more) -> value + "\n" + more);
      }
    }
    return variables;
  }
}
