package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a configuration file of TLC tells it to check.
 *
 * @param invariants the state invariants
 * @param properties the step and temporal properties
 */
public record Configuration(List<String> invariants, List<String> properties) {

  private static final Set<String> INVARIANT = Set.of("INVARIANT", "INVARIANTS");
  private static final Set<String> PROPERTY = Set.of("PROPERTY", "PROPERTIES");
  private static final Set<String> OTHER =
      Set.of(
          "CONSTANT",
          "CONSTANTS",
          "SPECIFICATION",
          "INIT",
          "NEXT",
          "CONSTRAINT",
          "CONSTRAINTS",
          "ACTION_CONSTRAINT",
          "ACTION_CONSTRAINTS",
          "SYMMETRY",
          "VIEW",
          "ALIAS",
          "CHECK_DEADLOCK");

  /** Reads a file. */
  public static Configuration read(Path file) throws IOException {
    String text = Files.readString(file);
    String bare = text.replaceAll("(?s)\\(\\*.*?\\*\\)", " ").replaceAll("\\\\\\*.*", " ");
    List<String> invariants = new ArrayList<>();
    List<String> properties = new ArrayList<>();
    List<String> section = new ArrayList<>();
    for (String word : bare.strip().split("\\s+", -1)) {
      if (INVARIANT.contains(word)) {
        section = invariants;
      } else if (PROPERTY.contains(word)) {
        section = properties;
      } else if (OTHER.contains(word)) {
        section = new ArrayList<>();
      } else {
        section.add(word);
      }
    }
    return new Configuration(List.copyOf(invariants), List.copyOf(properties));
  }

  /** All names. */
  List<String> all() {
    List<String> all = new ArrayList<>(invariants);
    all.addAll(properties);
    return List.copyOf(all);
  }

  /**
   * Which one is violated. TLC does not name a temporal property, and gives only the position of a
   * step of a refinement: then it is the one property that there is.
   *
   * @param named what TLC says; may be null
   * @return null if that does not tell
   */
  String violated(String named) {
    if (named != null && all().contains(named)) {
      return named;
    }
    return properties.size() == 1 ? properties.get(0) : null;
  }
}
