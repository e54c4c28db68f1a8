package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.overlaytrie.conformance.report.TlaValue.Elements;
import org.overlaytrie.conformance.report.TlaValue.Mapping;

/**
 * The smallest part of a variable that differs between two states.
 *
 * @param path the variable and the way to the part, e.g. {@code thread.w1.pc} or {@code cells[2]}
 * @param before its value before; null if it was not there
 * @param after its value after; null if it is not there any more
 */
public record Change(String path, String before, String after) {

  /** How one value became the other. */
  static List<Change> between(String path, TlaValue before, TlaValue after) {
    List<Change> changes = new ArrayList<>();
    collect(path, before, after, changes);
    return changes;
  }

  private static void collect(String path, TlaValue before, TlaValue after, List<Change> changes) {
    if (before == null || after == null) {
      changes.add(new Change(path, text(before), text(after)));
    } else if (before.text().equals(after.text())) {
      return;
    } else if (before instanceof Mapping was && after instanceof Mapping is) {
      Set<String> keys = new LinkedHashSet<>(was.parts().keySet());
      keys.addAll(is.parts().keySet());
      for (String key : keys) {
        collect(path + "." + key, was.parts().get(key), is.parts().get(key), changes);
      }
    } else if (before instanceof Elements was
        && after instanceof Elements is
        && was.isSet() == is.isSet()) {
      if (was.isSet()) {
        collectSets(path, was, is, changes);
      } else {
        collectSequences(path, was, is, changes);
      }
    } else {
      changes.add(new Change(path, before.text(), after.text()));
    }
  }

  private static void collectSets(String path, Elements was, Elements is, List<Change> changes) {
    for (TlaValue element : was.elements()) {
      if (!is.elements().contains(element)) {
        changes.add(new Change(path, element.text(), null));
      }
    }
    for (TlaValue element : is.elements()) {
      if (!was.elements().contains(element)) {
        changes.add(new Change(path, null, element.text()));
      }
    }
  }

  private static void collectSequences(
      String path, Elements was, Elements is, List<Change> changes) {
    int size = Math.max(was.elements().size(), is.elements().size());
    for (int i = 0; i < size; i++) {
      collect(path + "[" + (i + 1) + "]", element(was, i), element(is, i), changes);
    }
  }

  private static TlaValue element(Elements sequence, int index) {
    return index < sequence.elements().size() ? sequence.elements().get(index) : null;
  }

  private static String text(TlaValue value) {
    return value == null ? null : value.text();
  }
}
