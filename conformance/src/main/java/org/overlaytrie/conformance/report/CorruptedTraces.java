package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Traces that were changed on purpose, and must be rejected.
 *
 * @param tried how many there were
 * @param rejected how many of them were rejected
 * @param kinds the same by kind of change
 */
public record CorruptedTraces(int tried, int rejected, List<Change> kinds) implements Finding {

  /** No trace tried. */
  public static final CorruptedTraces NONE = new CorruptedTraces(0, 0, List.of());

  /**
   * One kind of change.
   *
   * @param change e.g. {@code drop MakeVisible}
   * @param tried how many traces were changed so
   * @param rejected how many of them were rejected
   */
  public record Change(String change, int tried, int rejected) {}

  CorruptedTraces plus(CorruptedTraces other) {
    List<Change> all = new ArrayList<>(kinds);
    all.addAll(other.kinds);
    return new CorruptedTraces(tried + other.tried, rejected + other.rejected, all);
  }
}
