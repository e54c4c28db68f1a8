package org.overlaytrie.conformance.bench;

import java.util.List;
import java.util.Locale;

/** One arm over another, round by round, so that what slows a whole round down cancels out. */
final class Ratios {
  private Ratios() {}

  /** The median and the spread of {@code arm / base}, in words. */
  static String describe(String name, List<double[]> rounds, int arm, int base) {
    double[] ratios = rounds.stream().mapToDouble(r -> r[arm] / r[base]).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%-44s median %.3f, min %.3f, max %.3f over %d rounds",
        name,
        ratios[ratios.length / 2],
        ratios[0],
        ratios[ratios.length - 1],
        ratios.length);
  }
}
