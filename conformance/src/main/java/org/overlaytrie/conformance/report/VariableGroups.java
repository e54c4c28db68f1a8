package org.overlaytrie.conformance.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables that a module names together, e.g. {@code disk == <<base, cells, tail>>}.
 *
 * @param groups the members by the group's name, in the module's order
 */
record VariableGroups(Map<String, List<String>> groups) {

  private static final Pattern GROUP =
      Pattern.compile("^(\\w+) *== *<<([\\w ,]+)>> *$", Pattern.MULTILINE);

  /** No groups. */
  static final VariableGroups NONE = new VariableGroups(Map.of());

  /** The groups of a module; none if it cannot be read. A group of groups has no variables. */
  static VariableGroups of(Path module) {
    String text;
    try {
      text = Files.readString(module);
    } catch (IOException e) {
      return NONE;
    }
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Matcher matcher = GROUP.matcher(text); matcher.find(); ) {
      List<String> members =
          Pattern.compile(",").splitAsStream(matcher.group(2)).map(String::strip).toList();
      if (members.stream().noneMatch(groups::containsKey)) {
        groups.put(matcher.group(1), members);
      }
    }
    return new VariableGroups(groups);
  }
}
