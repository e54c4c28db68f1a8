package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an action is called. TLC names the definition in which it stopped to split the next-state
 * relation into actions: often one that only gathers or bounds actions ({@code Next}, {@code
 * ThreadStep}, {@code MCInvoke}). The action's own name then stands in the module, at the place
 * that TLC also tells. For one thread.
 */
final class ActionNames {

  private static final Pattern GATHERS = Pattern.compile("\\w*(?:Next|Step)");
  private static final Pattern BOUNDS = Pattern.compile("MC([A-Z]\\w*)");
  private static final Pattern PLACE =
      Pattern.compile("line (\\d+), col (\\d+) to line (\\d+), col (\\d+) of module (\\w+)");
  private static final Pattern WITHIN = Pattern.compile("\\((\\d+) (\\d+) (\\d+) (\\d+)\\)");
  private static final Pattern APPLIED = Pattern.compile("\\b([A-Z]\\w*)\\s*(?=\\(|\\)*$)");

  private final Path directory;
  private final Map<String, List<String>> modules = new HashMap<>();

  /** Looks into the modules in the directory. */
  ActionNames(Path directory) {
    this.directory = directory;
  }

  /** Whether a name stands for several actions, which then cannot be told apart. */
  static boolean gathers(String name) {
    return GATHERS.matcher(name).matches();
  }

  /** The action's own name, from the name and the place that TLC gives. */
  String resolve(String name, String place) {
    String own = gathers(name) ? applied(name, place) : name;
    Matcher bounded = BOUNDS.matcher(own);
    return bounded.matches() && !gathers(own) ? bounded.group(1) : own;
  }

  /** The last operator applied in the text at the place. */
  private String applied(String name, String place) {
    Matcher matcher = PLACE.matcher(place);
    if (!matcher.find()) {
      return name;
    }
    List<String> lines = lines(matcher.group(5));
    Matcher within = WITHIN.matcher(place);
    String text = within.find() ? text(lines, within) : text(lines, matcher);
    String last = name;
    for (Matcher operator = APPLIED.matcher(text); operator.find(); ) {
      last = operator.group(1);
    }
    return last;
  }

  /** The text from one line and column to another, both counted from 1 and included. */
  private static String text(List<String> lines, Matcher place) {
    int firstLine = Integer.parseInt(place.group(1));
    int lastLine = Integer.parseInt(place.group(3));
    if (lastLine > lines.size()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (int number = firstLine; number <= lastLine; number++) {
      String line = lines.get(number - 1);
      int from = number == firstLine ? Integer.parseInt(place.group(2)) - 1 : 0;
      int to = number == lastLine ? Integer.parseInt(place.group(4)) : line.length();
      text.append(line, Math.min(from, line.length()), Math.min(to, line.length())).append(' ');
    }
    return text.toString().strip();
  }

  private List<String> lines(String module) {
    return modules.computeIfAbsent(
        module,
        name -> {
          try {
            Path file = directory.resolve(name + ".tla");
            return Files.readAllLines(file, StandardCharsets.UTF_8);
          } catch (IOException e) {
            // A module of TLC's own: it has no actions to look up.
            return List.of();
          }
        });
  }
}
