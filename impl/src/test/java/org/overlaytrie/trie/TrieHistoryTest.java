package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seeded random histories over key sets that strain a radix trie, compared with the JDK's map. */
class TrieHistoryTest {
  private static final int SEEDS = 40;
  private static final int CHANGES = 1_500;

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void behavesLikeTheModelInEveryVersion(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        runHistory(keys, residency, new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            keys + ", " + residency + ", seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static void runHistory(Keys keys, Residency residency, Random random) {
    Residency.Mover mover = residency.mover(random);
    NavigableMap<byte[], byte[]> model = newModel();
    List<Trie> oldTries = new ArrayList<>();
    List<NavigableMap<byte[], byte[]>> oldModels = new ArrayList<>();
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < CHANGES; i++) {
      if (i % 10 == 0) {
        trie = mover.move(trie);
      }
      // Phases of growing and of shrinking, so that branches come and go at all sizes.
      boolean put = random.nextInt(10) < (i / 250 % 2 == 0 ? 8 : 2);
      byte[] key = keys.next(random);
      assertThat(trie.get(key)).isEqualTo(model.get(key));
      if (put) {
        byte[] value = Arrays.copyOf(new byte[] {(byte) i, (byte) (i >> 8)}, i % 9 == 0 ? 300 : 2);
        trie = trie.put(key, value);
        model.put(key, value);
        assertThat(trie.get(key)).isEqualTo(value);
      } else {
        Trie before = trie;
        trie = trie.remove(key);
        assertThat(trie == before).as("same trie").isEqualTo(model.remove(key) == null);
        assertThat(trie.get(key)).isNull();
      }
      assertThat(trie.size()).isEqualTo(model.size());
      if (i % 50 == 0) {
        assertSameContent(trie, model);
        oldTries.add(trie);
        oldModels.add(new TreeMap<>(model));
      }
    }
    oldTries.add(trie);
    oldModels.add(model);
    for (int i = 0; i < oldTries.size(); i++) {
      assertSameContent(oldTries.get(i), oldModels.get(i));
    }
    assertFormDependsOnContentOnly(trie, model, random);
  }

  private static void assertFormDependsOnContentOnly(
      Trie trie, NavigableMap<byte[], byte[]> model, Random random) {
    List<byte[]> order = new ArrayList<>(model.keySet());
    Collections.shuffle(order, random);
    Trie rebuilt = Trie.EMPTY;
    for (byte[] key : order) {
      rebuilt = rebuilt.put(key, model.get(key));
    }
    assertThat(TrieChecker.sameStructure(trie, rebuilt)).as("same structure").isTrue();
    Collections.shuffle(order, random);
    for (byte[] key : order) {
      rebuilt = rebuilt.remove(key);
    }
    assertThat(rebuilt).isSameAs(Trie.EMPTY);
  }
}
