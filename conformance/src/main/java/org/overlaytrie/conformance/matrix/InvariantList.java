package org.overlaytrie.conformance.matrix;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The invariants that the matrix has rows for, from {@code specs/matrix.json}.
 *
 * @param invariants in the order of their rows
 */
record InvariantList(List<Entry> invariants) {

  /**
   * One row.
   *
   * @param name {@code Module!Name}
   * @param excused the columns that do not apply, each with the reason
   */
  record Entry(String name, Map<Column, String> excused) {

    String module() {
      return name.substring(0, name.indexOf('!'));
    }

    /** The name inside its module. */
    String simpleName() {
      return name.substring(name.indexOf('!') + 1);
    }
  }

  private record Json(List<JsonEntry> invariants) {}

  private record JsonEntry(String name, Map<String, String> excused) {}

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if it names a column that does not exist, excuses one without
   *     a reason, lists an invariant twice or without its module, or lists none
   */
  static InvariantList read(Path file) throws IOException {
    Json json;
    try {
      json = new ObjectMapper().readValue(Files.readString(file), Json.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    if (json.invariants() == null || json.invariants().isEmpty()) {
      throw new IllegalArgumentException(file + " lists no invariants");
    }
    Set<String> seen = new HashSet<>();
    for (JsonEntry entry : json.invariants()) {
      if (!entry.name().contains("!") || !seen.add(entry.name())) {
        throw new IllegalArgumentException(
            file + ": " + entry.name() + " occurs twice or is not of the form Module!Name");
      }
    }
    return new InvariantList(json.invariants().stream().map(InvariantList::entry).toList());
  }

  private static Entry entry(JsonEntry json) {
    Map<Column, String> excused = new EnumMap<>(Column.class);
    if (json.excused() != null) {
      json.excused()
          .forEach(
              (column, reason) -> {
                if (reason == null || reason.isBlank()) {
                  throw new IllegalArgumentException(
                      json.name() + " is excused from " + column + " without a reason");
                }
                excused.put(Column.ofKey(column), reason);
              });
    }
    return new Entry(json.name(), excused);
  }
}
