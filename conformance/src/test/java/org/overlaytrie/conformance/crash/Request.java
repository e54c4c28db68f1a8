package org.overlaytrie.conformance.crash;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.spec.OperationKind;

/**
 * What a client asks of the map, and what a map of one key would answer.
 *
 * @param kind the write operation; null for a read, or for a checkpoint if there is no key. A batch
 *     removes all keys from {@code key} on, then sets {@code key} and {@code other}, those that are
 *     not null, to {@code value}
 */
public record Request(OperationKind kind, String key, String expected, String value, String other) {

  /** A request for one key. */
  public Request(OperationKind kind, String key, String expected, String value) {
    this(kind, key, expected, value, null);
  }

  /** Removes all keys from {@code key} on, then sets it and {@code other} to the value. */
  public static Request batch(String key, String other, String value) {
    return new Request(OperationKind.BATCH, key, null, value, other);
  }

  /** Removes all keys from {@code key} on. */
  public static Request removeFrom(String key) {
    return new Request(OperationKind.BATCH, key, null, null, null);
  }

  /** Greater than all keys of requests. */
  private static final String LAST = "~";

  /** Reads the key. */
  public static Request get(String key) {
    return new Request(null, key, null, null);
  }

  /** Makes a checkpoint, which no map of one key would notice. */
  public static Request checkpoint() {
    return new Request(null, null, null, null);
  }

  /** Whether it makes a checkpoint. */
  public boolean isCheckpoint() {
    return kind == null && key == null;
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

  /** Whether it may read or change {@code name}. */
  public boolean concerns(String name) {
    return name.equals(key) || name.equals(other) || (isBatch() && name.compareTo(key) > 0);
  }

  private boolean isBatch() {
    return kind == OperationKind.BATCH;
  }

  /** The content afterwards. */
  public Map<String, String> after(Map<String, String> before) {
    Set<String> names = new TreeSet<>(before.keySet());
    names.add(key);
    if (other != null) {
      names.add(other);
    }
    Map<String, String> content = new TreeMap<>();
    for (String name : names) {
      String held = after(name, before.get(name));
      if (held != null) {
        content.put(name, held);
      }
    }
    return content;
  }

  /** What {@code name} holds afterwards if it held {@code current} before; null means absent. */
  public String after(String name, String current) {
    if (kind == null || !concerns(name)) {
      return current;
    }
    return switch (kind) {
      case PUT -> value;
      case REMOVE -> null;
      case PUT_IF_ABSENT -> current == null ? value : current;
      case REPLACE -> current == null ? null : value;
      case REPLACE_IF -> Objects.equals(current, expected) ? value : current;
      case REMOVE_IF -> Objects.equals(current, expected) ? null : current;
      case BATCH -> name.equals(key) || name.equals(other) ? value : null;
    };
  }

  /** The answer if the key held {@code current} before. */
  public Object answer(String current) {
    if (isBatch()) {
      return null;
    }
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
      case BATCH -> {
        write(store);
        yield null;
      }
    };
  }

  private void write(OverlayTrie<String, String> store) {
    if (value == null) {
      store.tailMap(key).clear();
      return;
    }
    store.begin().put(key, "never committed"); // whenever a crash comes, this is unfinished
    store.writeBatch(
        batch -> {
          batch.removeRange(key, LAST);
          batch.put(key, value);
          if (other != null) {
            batch.put(other, value);
          }
        });
  }

  @Override
  public String toString() {
    return isCheckpoint() ? "CHECKPOINT" : call();
  }

  private String call() {
    return (kind == null ? "GET" : kind)
        + "("
        + key
        + (other == null ? "" : " and " + other)
        + (expected == null ? "" : ", if " + shortened(expected))
        + (value == null ? "" : ", " + shortened(value))
        + ")";
  }

  private static String shortened(String text) {
    return text.length() <= 12 ? text : text.substring(0, 12) + "…" + text.length();
  }
}
