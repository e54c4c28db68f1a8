package org.overlaytrie.conformance.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One step of the specification, as the trace says that it happened.
 *
 * @param action the action's name
 * @param fields what the trace says about the step, as text; null stands for a key without a value
 * @param source what it was made from; its text is for people to read
 */
record Line(String action, Map<String, String> fields, Object source) {

  /** Fields from names and values, one after the other. */
  static Line of(String action, Object source, Object... namesAndValues) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      fields.put((String) namesAndValues[i], value == null ? null : value.toString());
    }
    return new Line(action, fields, source);
  }

  /**
   * Tab-separated: the action, each field as {@code name=value} or, where there is no value, as
   * {@code name}.
   */
  String encode() {
    StringBuilder text = new StringBuilder(action);
    fields.forEach(
        (name, value) -> text.append('\t').append(name).append(value == null ? "" : "=" + value));
    return text.toString();
  }

  /** The reverse of {@link #encode}. */
  static Line decode(String text) {
    List<String> parts = List.of(text.split("\t", -1));
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      fields.put(
          equals < 0 ? part : part.substring(0, equals),
          equals < 0 ? null : part.substring(equals + 1));
    }
    return new Line(parts.get(0), fields, "");
  }

  @Override
  public String toString() {
    return encode().replace('\t', ' ') + "   from " + source;
  }
}
