package org.overlaytrie.conformance.trace;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a store held before its trace began, so far as the trace tells: of each key, what was first
 * found there. The specification begins with that content, and then explains the rest or not.
 */
final class Origin {
  private static final Set<String> ANSWERS = Set.of("Answer", "AnswerUnforced");

  private final List<Line> lines;
  private final Map<String, String> content = new TreeMap<>();
  private final Map<String, Line> invoked = new HashMap<>();

  /** The keys that are there by now, of those that were found or written. */
  private final Set<String> present = new HashSet<>();

  private Origin(List<Line> lines) {
    this.lines = lines;
  }

  /**
   * The line to begin with.
   *
   * @param lines all lines of the trace; a batch whose keys nobody knows gets one to name
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
      case "ReadVisible", "ReadTip" -> {
        if (line.fields().containsKey("key")) {
          found(line.fields().get("key"), line.fields().get("result"));
        }
      }
      case "CommitVersion", "ObserveNoOp" -> {
        Line operation = invoked.get(thread);
        boolean changes = line.action().equals("CommitVersion");
        if (operation != null && operation.fields().containsKey("writes")) {
          foundByBatch(operation, changes);
        } else if (operation != null) {
          String key = operation.fields().get("key");
          found(key, before(operation, changes, thread, i));
          if (changes) {
            write(List.of(key), operation.fields().get("value"));
          }
        }
      }
      default -> {
        // Tells nothing of the content.
      }
    }
  }

  /**
   * A batch that changed nothing found its keys as it leaves them. If one that only removes did
   * change something, and nothing that it names was known to be there, then it was keys of its
   * range that nobody else mentions: they get a name.
   */
  private void foundByBatch(Line invoke, boolean changes) {
    String text = invoke.fields().get("writes");
    List<BatchText.Write> writes = BatchText.mentioned(text);
    if (!changes) {
      Map<String, String> left = new HashMap<>();
      writes.forEach(write -> write.keys().forEach(key -> left.put(key, write.value())));
      left.forEach(this::found);
      return;
    }
    boolean explained =
        writes.stream()
            .anyMatch(
                write -> write.value() != null || !Collections.disjoint(present, write.keys()));
    String unmentioned = BatchText.OTHERS + lines.indexOf(invoke);
    String named = BatchText.nameOthers(text, unmentioned);
    if (!explained && !named.equals(text)) {
      content.put(unmentioned, "=unknown");
      lines.set(
          lines.indexOf(invoke),
          Line.of(
              invoke.action(),
              invoke.source(),
              "thread",
              invoke.fields().get("thread"),
              "kind",
              invoke.fields().get("kind"),
              "writes",
              named));
    }
    writes.forEach(write -> write(write.keys(), write.value()));
  }

  private void write(List<String> keys, String value) {
    if (value == null) {
      present.removeAll(Set.copyOf(keys));
    } else {
      present.addAll(keys);
    }
  }

  /** The first find counts; a key that was absent is kept as an empty text. */
  private void found(String key, String value) {
    if (content.putIfAbsent(key, value == null ? "" : "=" + value) == null && value != null) {
      present.add(key);
    }
  }

  /** What an operation found: as it was answered, or if it was not, as its kind tells. */
  private String before(Line operation, boolean changes, String thread, int from) {
    for (Line line : lines.subList(from, lines.size())) {
      if (line.action().equals("Crash")) {
        break;
      }
      if (ANSWERS.contains(line.action()) && thread.equals(line.fields().get("thread"))) {
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
