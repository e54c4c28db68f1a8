package org.overlaytrie.conformance.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.overlaytrie.conformance.report.Json;

/**
 * The invariants that the matrix has rows for: {@code specs/matrix.json}.
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

    Entry {
      excused = excused == null ? Map.of() : Map.copyOf(excused);
    }

    String module() {
      return name.substring(0, name.indexOf('!'));
    }

    /** The name inside its module. */
    String simpleName() {
      return name.substring(name.indexOf('!') + 1);
    }
  }

  /**
   * Reads the file.
   *
   * @throws IOException if it is not of this form, names a column that does not exist, excuses one
   *     without a reason, lists an invariant twice or without its module, or lists none
   */
  static InvariantList read(Path file) throws IOException {
    InvariantList list = Json.read(file, InvariantList.class);
    if (list.invariants() == null || list.invariants().isEmpty()) {
      throw new IOException(file + " lists no invariants");
    }
    Set<String> seen = new HashSet<>();
    for (Entry entry : list.invariants()) {
      if (!entry.name().contains("!") || !seen.add(entry.name())) {
        throw new IOException(
            file + ": " + entry.name() + " occurs twice or is not of the form Module!Name");
      }
      if (entry.excused().values().stream().anyMatch(String::isBlank)) {
        throw new IOException(file + ": " + entry.name() + " is excused without a reason");
      }
    }
    return list;
  }
}
