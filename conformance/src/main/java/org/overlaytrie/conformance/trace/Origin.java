package org.overlaytrie.conformance.trace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a store held before its trace began, so far as the trace tells: of each key, what was first
 * found there. The specification begins with that content, and then explains the rest or not.
 */
final class Origin {
  private final List<Line> lines;
  private final Map<String, String> content = new TreeMap<>();
  private final Map<String, Line> invoked = new HashMap<>();

  private Origin(List<Line> lines) {
    this.lines = lines;
  }

  /**
   * The line to begin with.
   *
   * @param lines all lines of the trace
   * @param lsn what the first recovery read
   * @param incarnation the incarnation before the first recovery
   */
  static Line of(List<Line> lines, long lsn, long incarnation) {
    Origin origin = new Origin(lines);
    for (int i = 0; i < lines.size(); i++) {
      origin.look(i);
    }
    String entries =
        origin.content.entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty())
            .map(entry -> entry.getKey() + ":" + entry.getValue().substring(1))
            .collect(Collectors.joining(","));
    return Line.of(
        "Begin",
        "what the store held before",
        "lsn",
        lsn,
        "incarnation",
        incarnation,
        "entries",
        entries);
  }

  private void look(int i) {
    Line line = lines.get(i);
    String thread = line.fields().getOrDefault("thread", line.fields().get("threads"));
    switch (line.action()) {
      case "Invoke" -> invoked.put(thread, line);
      case "ReadVisible" -> {
        if (line.fields().containsKey("key")) {
          found(line.fields().get("key"), line.fields().get("result"));
        }
      }
      case "CommitVersion", "ObserveNoOp" -> {
        Line operation = invoked.get(thread);
        if (operation != null) {
          boolean changes = line.action().equals("CommitVersion");
          found(operation.fields().get("key"), before(operation, changes, thread, i));
        }
      }
      default -> {
        // Tells nothing of the content.
      }
    }
  }

  /** The first find counts; a key that was absent is kept as an empty text. */
  private void found(String key, String value) {
    content.putIfAbsent(key, value == null ? "" : "=" + value);
  }

  /** What an operation found: as it was answered, or if it was not, as its kind tells. */
  private String before(Line operation, boolean changes, String thread, int from) {
    for (Line line : lines.subList(from, lines.size())) {
      if (line.action().equals("Crash")) {
        break;
      }
      if (line.action().equals("Answer") && thread.equals(line.fields().get("thread"))) {
        return line.fields().get("previous");
      }
    }
    boolean present =
        switch (Objects.requireNonNull(operation.fields().get("kind"))) {
          case "PUT_IF_ABSENT" -> !changes;
          case "REMOVE", "REPLACE", "REMOVE_IF", "REPLACE_IF" -> changes;
          default -> false;
        };
    String expected = operation.fields().get("expected");
    return present ? Objects.requireNonNullElse(expected, "unknown") : null;
  }
}
