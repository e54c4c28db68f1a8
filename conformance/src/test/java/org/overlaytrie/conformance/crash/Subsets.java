package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;

/** The subsets of uncertain changes that are tried as what a crash leaves. */
final class Subsets {
  /** Up to so many changes, every subset is tried. */
  static final int ALL_UP_TO = 6;

  private Subsets() {}

  /**
   * All subsets of {@code count} changes if they are few; otherwise none, all, every prefix, each
   * alone, all but each, and a few at random.
   */
  static List<IntPredicate> of(int count) {
    if (count <= ALL_UP_TO) {
      return all(count);
    }
    List<IntPredicate> subsets = some(count);
    for (int i = 0; i < count; i++) {
      int at = i;
      subsets.add(index -> index == at);
      subsets.add(index -> index != at);
      subsets.add(index -> index < at);
    }
    return subsets;
  }

  /** All subsets of {@code count} changes if they are few; otherwise none, all and some others. */
  static List<IntPredicate> fewerOf(int count) {
    return count <= ALL_UP_TO ? all(count) : some(count);
  }

  private static List<IntPredicate> all(int count) {
    List<IntPredicate> subsets = new ArrayList<>();
    for (int mask = 0; mask < 1 << count; mask++) {
      int kept = mask;
      subsets.add(index -> (kept >>> index & 1) != 0);
    }
    return subsets;
  }

  private static List<IntPredicate> some(int count) {
    List<IntPredicate> subsets = new ArrayList<>();
    subsets.add(index -> false);
    subsets.add(index -> true);
    subsets.add(index -> index < count / 2);
    Random random = new Random(count);
    for (int i = 0; i < 5; i++) {
      subsets.add(random(count, random));
    }
    return subsets;
  }

  /** A random subset, mostly of one of the two ends. */
  static IntPredicate random(int count, Random random) {
    double share = random.nextInt(4) == 0 ? random.nextInt(2) : random.nextDouble();
    boolean[] kept = new boolean[count];
    for (int i = 0; i < count; i++) {
      kept[i] = random.nextDouble() < share;
    }
    return index -> kept[index];
  }
}
