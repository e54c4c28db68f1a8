package org.overlaytrie.conformance.crash;

import java.util.Objects;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.spec.OperationKind;

/**
 * What a client asks of the map, and what a map of one key would answer.
 *
 * @param kind the write operation; null for a read
 */
public record Request(OperationKind kind, String key, String expected, String value) {

  /** Reads the key. */
  public static Request get(String key) {
    return new Request(null, key, null, null);
  }

  /** Sets the key. */
  public static Request put(String key, String value) {
    return new Request(OperationKind.PUT, key, null, value);
  }

  /** Removes the key. */
  public static Request remove(String key) {
    return new Request(OperationKind.REMOVE, key, null, null);
  }

  /** Whether it may change the map. */
  public boolean writes() {
    return kind != null;
  }

  /** What the key holds afterwards if it held {@code current} before; null means absent. */
  public String after(String current) {
    if (kind == null) {
      return current;
    }
    return switch (kind) {
      case PUT -> value;
      case REMOVE -> null;
      case PUT_IF_ABSENT -> current == null ? value : current;
      case REPLACE -> current == null ? null : value;
      case REPLACE_IF -> Objects.equals(current, expected) ? value : current;
      case REMOVE_IF -> Objects.equals(current, expected) ? null : current;
    };
  }

  /** The answer if the key held {@code current} before. */
  public Object answer(String current) {
    return kind == OperationKind.REPLACE_IF || kind == OperationKind.REMOVE_IF
        ? (Object) Objects.equals(current, expected)
        : current;
  }

  /** Asks the store. */
  Object on(OverlayTrie<String, String> store) {
    if (kind == null) {
      return store.get(key);
    }
    return switch (kind) {
      case PUT -> store.put(key, value);
      case REMOVE -> store.remove(key);
      case PUT_IF_ABSENT -> store.putIfAbsent(key, value);
      case REPLACE -> store.replace(key, value);
      case REPLACE_IF -> store.replace(key, expected, value);
      case REMOVE_IF -> store.remove(key, expected);
    };
  }

  @Override
  public String toString() {
    return (kind == null ? "GET" : kind)
        + "("
        + key
        + (expected == null ? "" : ", if " + shortened(expected))
        + (value == null ? "" : ", " + shortened(value))
        + ")";
  }

  private static String shortened(String text) {
    return text.length() <= 12 ? text : text.substring(0, 12) + "…" + text.length();
  }
}
