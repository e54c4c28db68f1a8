package org.overlaytrie.conformance.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.overlaytrie.spec.ProtocolEvents;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.ModelValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.SetEnumValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import tlc2.value.impl.ValueVec;
import util.UniqueString;

/** Lines as values of TLC. */
final class LineValues {
  private static final UniqueString ACTION = UniqueString.uniqueStringOf("action");
  private static final UniqueString WHOLE = UniqueString.uniqueStringOf("whole");
  private static final UniqueString KEYS = UniqueString.uniqueStringOf("keys");
  private static final UniqueString VALUE = UniqueString.uniqueStringOf("value");
  private static final UniqueString WHO = UniqueString.uniqueStringOf("who");
  private static final UniqueString LSN = UniqueString.uniqueStringOf("lsn");

  private LineValues() {}

  /** A record with the action, the fields and whether there is no key. */
  static Value of(Line line) {
    List<UniqueString> names = new ArrayList<>(List.of(ACTION, WHOLE));
    List<Value> values = new ArrayList<>();
    values.add(new StringValue(line.action()));
    values.add(line.fields().containsKey("key") ? BoolValue.ValFalse : BoolValue.ValTrue);
    line.fields()
        .forEach(
            (name, text) -> {
              names.add(UniqueString.uniqueStringOf(name));
              values.add(value(name, text));
            });
    return record(names, values);
  }

  /** A set of strings. */
  static Value strings(Collection<String> strings) {
    return set(strings.stream().<Value>map(StringValue::new).toList());
  }

  private static Value value(String name, String text) {
    return switch (name) {
      case "lsn", "first", "term", "incarnation" -> number(text);
      case "threads" -> strings(parts(text));
      case "entries" -> entries(text);
      case "writes" -> writes(text);
      case "waiter" -> waiter(text);
      case "waiters" -> set(parts(text).stream().map(LineValues::waiter).toList());
      default -> text == null ? ModelValue.make("Absent") : new StringValue(text);
    };
  }

  /**
   * TLC's numbers are small: the greatest of them is {@link ProtocolEvents#NEVER}, and no other.
   */
  private static Value number(String text) {
    long number = Long.parseLong(text);
    return IntValue.gen(
        number == ProtocolEvents.NEVER
            ? Integer.MAX_VALUE
            : (int) Math.max(Integer.MIN_VALUE, Math.min(number, Integer.MAX_VALUE - 1)));
  }

  private static List<String> parts(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  private static Value entries(String text) {
    List<UniqueString> keys = new ArrayList<>();
    List<Value> values = new ArrayList<>();
    for (String entry : parts(text)) {
      int colon = entry.indexOf(':');
      keys.add(UniqueString.uniqueStringOf(entry.substring(0, colon)));
      values.add(new StringValue(entry.substring(colon + 1)));
    }
    return record(keys, values);
  }

  private static Value writes(String text) {
    return new TupleValue(
        BatchText.mentioned(text).stream()
            .map(
                write ->
                    record(
                        List.of(KEYS, VALUE),
                        List.of(strings(write.keys()), value("value", write.value()))))
            .toArray(Value[]::new));
  }

  private static Value waiter(String text) {
    int colon = text.indexOf(':');
    return record(
        List.of(WHO, LSN),
        List.of(new StringValue(text.substring(0, colon)), number(text.substring(colon + 1))));
  }

  private static Value record(List<UniqueString> names, List<Value> values) {
    return new RecordValue(names.toArray(UniqueString[]::new), values.toArray(Value[]::new), false)
        .normalize();
  }

  private static Value set(List<Value> elements) {
    return new SetEnumValue(new ValueVec(elements.toArray(Value[]::new)), false).normalize();
  }
}
