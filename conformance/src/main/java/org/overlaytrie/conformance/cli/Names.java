package org.overlaytrie.conformance.cli;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The names from which a user of the command line selects. */
public final class Names {

  /** A name is close if at most one in so many of its letters is wrong. */
  private static final int LETTERS_PER_ERROR = 4;

  private static final int MOST_SHOWN = 10;

  private Names() {}

  /**
   * What to tell a user who gave a name that selects nothing.
   *
   * @param problem what is wrong, e.g. {@code There is no configuration MCFoo}
   * @param name the name that was given
   * @param known all names that select something
   */
  public static UsageException unknown(String problem, String name, Collection<String> known) {
    List<String> close = known.stream().distinct().filter(one -> isClose(name, one)).toList();
    if (!close.isEmpty()) {
      return new UsageException(problem + ". Did you mean " + list(close, " or ") + "?");
    }
    return new UsageException(
        known.isEmpty() ? problem + "." : problem + ". There are " + list(known, ", ") + ".");
  }

  private static String list(Collection<String> names, String separator) {
    String shown =
        names.stream().distinct().sorted().limit(MOST_SHOWN).collect(Collectors.joining(separator));
    return names.size() <= MOST_SHOWN ? shown : shown + " …";
  }

  /** Whether what was given is part of the other, or their last parts differ in few letters. */
  private static boolean isClose(String given, String known) {
    String left = given.toLowerCase(Locale.ROOT);
    String right = known.toLowerCase(Locale.ROOT);
    if (!left.isEmpty() && right.contains(left)) {
      return true;
    }
    String end = lastPart(left);
    return errors(end, lastPart(right)) * LETTERS_PER_ERROR <= end.length();
  }

  private static String lastPart(String name) {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('!')) + 1);
  }

  /** How many letters must be inserted, deleted or replaced to make one from the other. */
  private static int errors(String left, String right) {
    int[] above = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] row = new int[right.length() + 1];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[right.length()];
  }
}
