package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The writes of a batch as text; also used in TLC's process, which has nothing of the store's. A
 * removal of a range stands there with those of its keys that the trace mentions, and with {@link
 * #OTHERS} for those that it does not.
 *
 * <pre>
 *   batch = write ("," write)*
 *   write = key ("=" key)*  (":" value)?      without value the keys are removed
 * </pre>
 */
final class BatchText {
  /** Keys that the trace does not mention; no key is shown like this. */
  static final String OTHERS = "%";

  private BatchText() {}

  /**
   * One write.
   *
   * @param value null if the keys are removed
   */
  record Write(List<String> keys, String value) {
    /** The same with other keys, those left out that become null. */
    Write with(UnaryOperator<String> change) {
      return new Write(keys.stream().map(change).filter(Objects::nonNull).toList(), value);
    }

    @Override
    public String toString() {
      return String.join("=", keys) + (value == null ? "" : ":" + value);
    }
  }

  /** The text of these writes. */
  static String of(List<Write> writes) {
    return writes.stream().map(Write::toString).collect(Collectors.joining(","));
  }

  /** The reverse of {@link #of}. */
  static List<Write> parse(String text) {
    List<Write> writes = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = part.indexOf(':');
      String keys = colon < 0 ? part : part.substring(0, colon);
      writes.add(
          new Write(List.of(keys.split("=", -1)), colon < 0 ? null : part.substring(colon + 1)));
    }
    return writes;
  }

  /** What the specification is told: writes without {@link #OTHERS}, if then any key is left. */
  static List<Write> mentioned(String text) {
    return parse(text).stream()
        .map(write -> write.with(key -> key.equals(OTHERS) ? null : key))
        .filter(write -> !write.keys().isEmpty())
        .toList();
  }

  /** The same batch with another key in the place of the first {@link #OTHERS}. */
  static String nameOthers(String text, String key) {
    boolean[] named = {false};
    return of(
        parse(text).stream()
            .map(
                write ->
                    write.with(
                        each -> {
                          boolean name = each.equals(OTHERS) && !named[0];
                          named[0] |= name;
                          return name ? key : each;
                        }))
            .toList());
  }

  /** The same batch with another value in the place of {@code value}. */
  static String replace(String text, String value, String other) {
    return of(
        parse(text).stream()
            .map(write -> value.equals(write.value()) ? new Write(write.keys(), other) : write)
            .toList());
  }
}
