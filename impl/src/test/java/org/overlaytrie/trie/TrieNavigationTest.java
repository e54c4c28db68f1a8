package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.bytes;
import static org.overlaytrie.trie.TrieAssertions.newModel;
import static org.overlaytrie.trie.TrieChecker.checked;
import static org.overlaytrie.trie.TrieChecker.sameStructure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeking, stepping both ways, rank, select and removal of ranges, compared with the JDK's map on
 * random tries, for present and absent bounds. {@code -Doverlaytrie.seed=N} runs seed N alone.
 */
class TrieNavigationTest {
  private static final byte[] VALUE = {1};
  private static final int SEEDS = 25;
  private static final int RANGES = 60;

  private record Case(Trie trie, NavigableMap<byte[], byte[]> model, List<byte[]> probes) {}

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void findsWhatTheModelFinds(Keys keys, Residency residency) {
    forEachSeed(
        keys + ", " + residency,
        random -> {
          Residency.Mover mover = residency.mover(random);
          Case example = example(keys, mover, random);
          assertSeeksLikeTheModel(example, random);
          assertRanksLikeTheModel(example);
          for (int i = 0; i < RANGES; i++) {
            assertRemovesRangeLikeTheModel(
                new Case(mover.move(example.trie), example.model, example.probes), random);
          }
        });
  }

  private interface Check {
    void run(Random random);
  }

  private static void forEachSeed(String what, Check check) {
    Long only = Long.getLong("overlaytrie.seed");
    for (long seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); seed++) {
      try {
        check.run(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            what + ", -Doverlaytrie.seed=" + seed + " runs it alone: " + e.getMessage(), e);
      }
    }
  }

  /** A trie of some size, and bounds that are its keys, next to them, or anywhere. */
  private static Case example(Keys keys, Residency.Mover mover, Random random) {
    NavigableMap<byte[], byte[]> model = newModel();
    Trie trie = Trie.EMPTY;
    int[] sizes = {0, 1, 2, 5, 30, 400};
    for (int i = sizes[random.nextInt(sizes.length)]; i > 0; i--) {
      byte[] key = keys.next(random);
      byte[] value = {(byte) i};
      trie = trie.put(key, value);
      model.put(key, value);
    }
    TreeSet<byte[]> probes = new TreeSet<>(Arrays::compareUnsigned);
    probes.add(bytes());
    probes.add(bytes(0xFF, 0xFF, 0xFF));
    for (int i = 0; i < 20; i++) {
      probes.add(keys.next(random));
    }
    for (byte[] key : model.keySet()) {
      probes.add(key);
      probes.add(Arrays.copyOf(key, key.length + 1));
      if (key.length > 0) {
        probes.add(Arrays.copyOf(key, key.length - 1));
        byte[] near = key.clone();
        near[random.nextInt(key.length)] += (byte) (random.nextBoolean() ? 1 : -1);
        probes.add(near);
      }
    }
    return new Case(mover.move(trie), model, List.copyOf(probes));
  }

  private static void assertSeeksLikeTheModel(Case example, Random random) {
    List<byte[]> keys = new ArrayList<>(example.model.keySet());
    TrieCursor cursor = example.trie.cursor();
    for (byte[] probe : example.probes) {
      int index = example.model.headMap(probe).size();
      assertThat(cursor.seek(probe)).as("seek %s", hex(probe)).isEqualTo(index < keys.size());
      assertThat(entryAt(cursor)).isEqualTo(value(example, keys, index));
      wander(example, keys, cursor, index, random);
      assertThat(cursor.seekBefore(probe)).as("seekBefore %s", hex(probe)).isEqualTo(index > 0);
      wander(example, keys, cursor, index - 1, random);
    }
    assertThat(cursor.seekFirst()).isEqualTo(!keys.isEmpty());
    wander(example, keys, cursor, 0, random);
    assertThat(cursor.seekLast()).isEqualTo(!keys.isEmpty());
    wander(example, keys, cursor, keys.size() - 1, random);
    assertWalksBackOverAll(example.trie, keys);
  }

  /** Some steps to and fro from {@code start}, where -1 is before the first. */
  private static void wander(
      Case example, List<byte[]> keys, TrieCursor cursor, int start, Random random) {
    int index = start;
    for (int step = random.nextInt(6); step >= 0; step--) {
      boolean onEntry = index >= 0 && index < keys.size();
      assertThat(entryAt(cursor)).isEqualTo(value(example, keys, index));
      if (onEntry && !Arrays.equals(cursor.key(), keys.get(index))) {
        throw new AssertionError("at " + hex(cursor.key()) + " not " + hex(keys.get(index)));
      }
      if (random.nextBoolean()) {
        index = Math.min(index + 1, keys.size());
        assertThat(cursor.next()).isEqualTo(index < keys.size());
      } else {
        index = Math.max(index - 1, -1);
        assertThat(cursor.previous()).isEqualTo(index >= 0);
      }
    }
  }

  private static void assertWalksBackOverAll(Trie trie, List<byte[]> keys) {
    TrieCursor cursor = trie.cursor();
    while (cursor.next()) {
      assertThat(cursor.value()).isNotNull();
    }
    for (int index = keys.size() - 1; index >= 0; index--) {
      assertThat(cursor.previous()).isTrue();
      assertThat(Arrays.equals(cursor.key(), keys.get(index))).isTrue();
    }
    assertThat(cursor.previous()).isFalse();
    assertThat(cursor.next()).isEqualTo(!keys.isEmpty());
  }

  private static byte[] value(Case example, List<byte[]> keys, int index) {
    return index < 0 || index >= keys.size() ? null : example.model.get(keys.get(index));
  }

  private static byte[] entryAt(TrieCursor cursor) {
    try {
      return cursor.value();
    } catch (IllegalStateException onNone) {
      return null;
    }
  }

  private static void assertRanksLikeTheModel(Case example) {
    for (byte[] probe : example.probes) {
      assertThat(example.trie.rank(probe))
          .as("rank of %s", hex(probe))
          .isEqualTo(example.model.headMap(probe).size());
    }
    TrieCursor cursor = example.trie.cursor();
    long rank = 0;
    for (byte[] key : example.model.keySet()) {
      assertThat(cursor.seekRank(rank)).isTrue();
      assertThat(Arrays.equals(cursor.key(), key)).as("select %d", rank).isTrue();
      rank++;
    }
    assertThat(cursor.seekRank(rank)).isFalse();
    assertThat(cursor.previous()).isEqualTo(rank > 0);
    assertThat(cursor.seekRank(Long.MAX_VALUE)).isFalse();
  }

  private static void assertRemovesRangeLikeTheModel(Case example, Random random) {
    byte[] from = example.probes.get(random.nextInt(example.probes.size()));
    byte[] to =
        random.nextInt(5) == 0 ? null : example.probes.get(random.nextInt(example.probes.size()));
    NavigableMap<byte[], byte[]> model = new TreeMap<>(example.model);
    if (to == null) {
      model.tailMap(from).clear();
    } else if (Arrays.compareUnsigned(from, to) <= 0) {
      model.subMap(from, to).clear();
    }
    Trie rest = example.trie.removeRange(from, to);
    assertSameContent(rest, model);
    if (model.size() == example.model.size()) {
      assertThat(rest).as("nothing to remove").isSameAs(example.trie);
    }
    assertSameContent(example.trie, example.model);

    NavigableMap<byte[], byte[]> others = new TreeMap<>(example.model);
    others.keySet().removeIf(key -> startsWith(key, from));
    assertSameContent(withoutPrefix(example.trie, from), others);
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Test
  void removesRangesFromDenseBranchesAndMakesThemSparseBelowTheThreshold() {
    NavigableMap<byte[], byte[]> all = newModel();
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 256; i++) {
      byte[] key = bytes('d', i, 7);
      all.put(key, VALUE);
      trie = trie.put(key, VALUE);
    }
    for (int low = 0; low < 256; low += 3) {
      for (int high = low; high < 256; high += 5) {
        byte[] from = bytes('d', low, 3);
        byte[] to = bytes('d', high, 9);
        NavigableMap<byte[], byte[]> model = new TreeMap<>(all);
        model.subMap(from, to).clear();
        assertSameContent(trie.removeRange(from, to), model);
      }
    }
  }

  @Test
  void joinsWhatIsLeftOnBothSidesOfARemovedRange() {
    Trie outer = Trie.EMPTY.put(ascii("same-a-1"), VALUE).put(ascii("same-z-9"), VALUE);
    Trie all = outer.put(ascii("same-b"), VALUE).put(ascii("same-z-1"), VALUE);
    assertThat(sameStructure(checked(all.removeRange(ascii("same-b"), ascii("same-z-2"))), outer))
        .isTrue();
    Trie one = Trie.EMPTY.put(ascii("same-z-9"), VALUE);
    assertThat(sameStructure(checked(all.removeRange(ascii("same-a"), ascii("same-z-2"))), one))
        .isTrue();
    assertThat(all.removeRange(ascii(""), null)).isSameAs(Trie.EMPTY);
    assertThat(withoutPrefix(all, ascii("same-"))).isSameAs(Trie.EMPTY);
    assertThat(withoutPrefix(all, bytes(0xFF))).isSameAs(all);
  }

  @Test
  void sharesAllNodesBesideTheWaysOfTheBounds() {
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 100; i++) {
      trie = trie.put(bytes(i, 0), VALUE).put(bytes(i, 1), VALUE);
    }
    Branch rest = (Branch) trie.removeRange(bytes(10, 1), bytes(20, 1)).root();
    Branch before = (Branch) trie.root();
    for (int i = 0; i < 100; i++) {
      if (i < 10 || i > 20) {
        assertThat(rest.child(i)).isSameAs(before.child(i));
      }
    }
    assertThat(rest.fanOut()).isEqualTo(91);
  }

  @Test
  void refusesNullsAndNegativeRanks() {
    Trie trie = Trie.EMPTY.put(bytes(), VALUE);
    for (Trie each : List.of(Trie.EMPTY, trie)) {
      assertThatNullPointerException().isThrownBy(() -> each.rank(null));
      assertThatNullPointerException().isThrownBy(() -> each.removeRange(null, bytes()));
      assertThatNullPointerException().isThrownBy(() -> withoutPrefix(each, null));
      assertThatNullPointerException().isThrownBy(() -> each.cursor().seek(null));
      assertThatNullPointerException().isThrownBy(() -> each.cursor().seekBefore(null));
      assertThatIllegalArgumentException().isThrownBy(() -> each.cursor().seekRank(-1));
    }
  }

  private static String hex(byte[] key) {
    return "0x" + HexFormat.of().formatHex(key);
  }

  private static Trie withoutPrefix(Trie trie, byte[] prefix) {
    return trie.removeRange(prefix, Trie.endOfPrefix(prefix));
  }
}
