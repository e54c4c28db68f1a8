package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A value as TLC prints it, taken apart so that two values can be compared part by part. */
sealed interface TlaValue {

  /** The value in TLA+ notation, on one line. */
  String text();

  /**
   * A number, string, model value, or anything that is not taken apart.
   *
   * @param text as printed
   */
  record Atom(String text) implements TlaValue {}

  /**
   * A record or a function: values by field or argument, in the order printed.
   *
   * @param isRecord whether it was printed as a record
   * @param parts the values
   */
  record Mapping(boolean isRecord, Map<String, TlaValue> parts) implements TlaValue {
    @Override
    public String text() {
      String arrow = isRecord ? " |-> " : " :> ";
      String joined =
          parts.entrySet().stream()
              .map(part -> part.getKey() + arrow + part.getValue().text())
              .collect(Collectors.joining(isRecord ? ", " : " @@ "));
      return isRecord ? "[" + joined + "]" : "(" + joined + ")";
    }
  }

  /**
   * A sequence or a set.
   *
   * @param isSet whether it is a set
   * @param elements the values, in the order printed
   */
  record Elements(boolean isSet, List<TlaValue> elements) implements TlaValue {
    @Override
    public String text() {
      String joined = elements.stream().map(TlaValue::text).collect(Collectors.joining(", "));
      return isSet ? "{" + joined + "}" : "<<" + joined + ">>";
    }
  }

  /** Reads a value; what it does not understand is one atom. */
  static TlaValue parse(String text) {
    Parser parser = new Parser(text.replaceAll("\\s+", " ").strip());
    try {
      TlaValue value = parser.value();
      if (parser.atEnd()) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      // Not a value that this parser knows: shown as it is.
    }
    return new Atom(parser.text);
  }

  /** One value in a text whose white space is single blanks. */
  final class Parser {
    private final String text;
    private int at;

    private Parser(String text) {
      this.text = text;
    }

    private boolean atEnd() {
      blank();
      return at == text.length();
    }

    private void blank() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }

    private boolean take(String token) {
      blank();
      if (text.startsWith(token, at)) {
        at += token.length();
        return true;
      }
      return false;
    }

    private void need(String token) {
      if (!take(token)) {
        throw new IllegalArgumentException(token + " is missing at " + at + " of " + text);
      }
    }

    private TlaValue value() {
      if (take("<<")) {
        return new Elements(false, elements(">>"));
      }
      if (take("{")) {
        return new Elements(true, elements("}"));
      }
      if (take("[")) {
        return new Mapping(true, parts(",", "|->", "]"));
      }
      if (take("(")) {
        return new Mapping(false, parts("@@", ":>", ")"));
      }
      return atom();
    }

    private List<TlaValue> elements(String end) {
      List<TlaValue> elements = new ArrayList<>();
      while (!take(end)) {
        if (!elements.isEmpty()) {
          need(",");
        }
        elements.add(value());
      }
      return List.copyOf(elements);
    }

    private Map<String, TlaValue> parts(String separator, String arrow, String end) {
      Map<String, TlaValue> parts = new LinkedHashMap<>();
      while (!take(end)) {
        if (!parts.isEmpty()) {
          need(separator);
        }
        String key = value().text();
        need(arrow);
        parts.put(key, value());
      }
      return parts;
    }

    private Atom atom() {
      blank();
      int start = at;
      if (at < text.length() && text.charAt(at) == '"') {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
          at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
      } else {
        while (at < text.length() && isPlain(text.charAt(at))) {
          at++;
        }
      }
      if (at == start || at > text.length()) {
        throw new IllegalArgumentException("no value at " + start + " of " + text);
      }
      return new Atom(text.substring(start, at));
    }

    private static boolean isPlain(char c) {
      return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '!';
    }
  }
}
