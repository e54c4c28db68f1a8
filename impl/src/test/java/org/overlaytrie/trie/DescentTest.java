package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.bytes;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Walks over the edges, and what begins with what, compared with the JDK's map. */
class DescentTest {
  private static final int SEEDS = 20;
  private static final byte[] VALUE = {1};

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void seesEveryEdgeThatTheModelHas(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> model = newModel();
      Trie trie = residency.mover(random).move(filled(model, keys, random));
      NavigableMap<byte[], NavigableSet<Integer>> edges = edges(model);
      Descent descent = trie.descent();
      Deque<Integer> next = new ArrayDeque<>();
      next.push(0);
      int visited = 0;
      while (!next.isEmpty()) { // depth first, down each edge and up again
        if (next.peek() == 0) {
          visited++;
          assertThat(descent.value()).isEqualTo(model.get(descent.way()));
        }
        int label = descent.labelFrom(next.pop());
        Integer expected = edges.get(descent.way()).ceiling(label < 0 ? 256 : label);
        assertThat(label < 0 ? null : label).isEqualTo(expected);
        if (label >= 0) {
          next.push(label + 1);
          next.push(0);
          assertThat(descent.descend(label)).isTrue();
        } else if (!descent.up()) {
          assertThat(next).isEmpty();
        }
      }
      assertThat(visited).as("%s, seed %d", keys, seed).isEqualTo(edges.size());
    }
  }

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void countsWhatBeginsWithItsWayAndFindsTheLongestPrefix(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> model = newModel();
      Trie trie = residency.mover(random).move(filled(model, keys, random));
      for (int i = 0; i < 60; i++) {
        byte[] key = keys.next(random);
        Descent descent = trie.descent();
        int depth = 0;
        int longest = model.containsKey(bytes()) ? 0 : -1;
        while (depth < key.length && descent.descend(Bytes.label(key[depth]))) {
          byte[] way = Arrays.copyOf(key, ++depth);
          assertThat(descent.way()).isEqualTo(way);
          assertThat(descent.depth()).isEqualTo(depth);
          assertThat(descent.size()).isEqualTo(beginWith(model, way));
          longest = model.containsKey(way) ? depth : longest;
        }
        if (depth < key.length) {
          assertThat(beginWith(model, Arrays.copyOf(key, depth + 1))).isZero();
        }
        assertThat(trie.longestPrefix(key)).as("%s, seed %d", keys, seed).isEqualTo(longest);
      }
    }
  }

  @Test
  void staysWhereItIsWithoutSuchAnEdge() {
    Descent descent = Trie.EMPTY.put(ascii("abc"), VALUE).descent();
    assertThat(descent.up()).isFalse();
    assertThat(descent.descend('a')).isTrue();
    assertThat(descent.descend('c')).isFalse();
    assertThat(descent.way()).isEqualTo(ascii("a"));
    assertThat(descent.labelFrom(0)).isEqualTo('b');
    assertThat(descent.labelFrom('c')).isNegative();
    assertThat(descent.descend('b') && descent.descend('c')).isTrue();
    assertThat(descent.value()).isEqualTo(VALUE);
    assertThat(descent.labelFrom(0)).isNegative();
    assertThat(descent.descend('d')).isFalse();
    assertThat(descent.up()).isTrue();
    assertThat(descent.value()).isNull();
  }

  @Test
  void hasNoEdgesInTheEmptyTrie() {
    Descent descent = Trie.EMPTY.descent();
    assertThat(descent.labelFrom(0)).isNegative();
    assertThat(descent.descend(0)).isFalse();
    assertThat(descent.value()).isNull();
    assertThat(descent.size()).isZero();
    assertThat(Trie.EMPTY.longestPrefix(bytes())).isNegative();
  }

  private static Trie filled(NavigableMap<byte[], byte[]> model, Keys keys, Random random) {
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 150; i++) {
      byte[] key = keys.next(random);
      byte[] value = {(byte) i};
      model.put(key, value);
      trie = trie.put(key, value);
    }
    return trie;
  }

  /** The bytes that may follow each string that a key begins with. */
  private static NavigableMap<byte[], NavigableSet<Integer>> edges(Map<byte[], byte[]> model) {
    NavigableMap<byte[], NavigableSet<Integer>> edges =
        new java.util.TreeMap<>(Arrays::compareUnsigned);
    edges.put(bytes(), new TreeSet<>());
    for (byte[] key : model.keySet()) {
      for (int depth = 0; depth <= key.length; depth++) {
        NavigableSet<Integer> labels =
            edges.computeIfAbsent(Arrays.copyOf(key, depth), way -> new TreeSet<>());
        if (depth < key.length) {
          labels.add(Bytes.label(key[depth]));
        }
      }
    }
    return edges;
  }

  private static long beginWith(NavigableMap<byte[], byte[]> model, byte[] prefix) {
    return model.tailMap(prefix, true).keySet().stream()
        .takeWhile(key -> Arrays.equals(Arrays.copyOf(key, prefix.length), prefix))
        .count();
  }
}
