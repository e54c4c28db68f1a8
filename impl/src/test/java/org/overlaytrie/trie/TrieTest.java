package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.bytes;
import static org.overlaytrie.trie.TrieAssertions.newModel;
import static org.overlaytrie.trie.TrieChecker.checked;
import static org.overlaytrie.trie.TrieChecker.sameStructure;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class TrieTest {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  @Test
  void hasNothingWhenEmpty() {
    assertThat(Trie.EMPTY.size()).isZero();
    assertThat(Trie.EMPTY.get(bytes())).isNull();
    assertThat(Trie.EMPTY.remove(bytes())).isSameAs(Trie.EMPTY);
    assertThat(Trie.EMPTY.cursor().next()).isFalse();
  }

  @Test
  void keepsAnEmptyKeyAndAnEmptyValue() {
    byte[] empty = {};
    Trie trie = checked(Trie.EMPTY.put(empty, empty));
    assertThat(trie.get(bytes())).isEqualTo(empty);
    assertThat(trie.get(bytes(0))).isNull();
    assertThat(trie.size()).isEqualTo(1);
    assertThat(trie.remove(bytes(0))).isSameAs(trie);
    assertThat(trie.remove(bytes())).isSameAs(Trie.EMPTY);
  }

  @Test
  void tellsKeysApartThatBeginAlike() {
    Trie trie = Trie.EMPTY.put(ascii("tr"), ONE).put(ascii("trie"), TWO);
    assertThat(trie.get(ascii("t"))).isNull();
    assertThat(trie.get(ascii("tr"))).isEqualTo(ONE);
    assertThat(trie.get(ascii("tri"))).isNull();
    assertThat(trie.get(ascii("trie"))).isEqualTo(TWO);
    assertThat(trie.get(ascii("tries"))).isNull();
    assertThat(trie.get(ascii("tree"))).isNull();
    for (String absent : new String[] {"", "t", "tri", "tries", "tree", "x"}) {
      assertThat(trie.remove(ascii(absent))).as(absent).isSameAs(trie);
    }
  }

  @Test
  void replacesTheValueOfAPresentKey() {
    Trie trie = Trie.EMPTY.put(ascii("a"), ONE).put(ascii("ab"), ONE);
    Trie replaced = checked(trie.put(ascii("a"), TWO).put(ascii("ab"), TWO));
    assertThat(replaced.size()).isEqualTo(2);
    assertThat(replaced.get(ascii("a"))).isEqualTo(TWO);
    assertThat(replaced.get(ascii("ab"))).isEqualTo(TWO);
    assertThat(trie.get(ascii("a"))).isEqualTo(ONE);
    assertThat(trie.get(ascii("ab"))).isEqualTo(ONE);
  }

  @Test
  void joinsABranchThatIsLeftWithOneChildToIt() {
    Trie one = Trie.EMPTY.put(ascii("common-left-end"), ONE);
    Trie both = one.put(ascii("common-right-end"), TWO);
    Trie three = both.put(ascii("common-right"), TWO);
    assertThat(sameStructure(checked(both.remove(ascii("common-right-end"))), one)).isTrue();
    assertThat(sameStructure(checked(three.remove(ascii("common-right"))), both)).isTrue();
    assertThat(sameStructure(one, both)).isFalse();
  }

  @Test
  void joinsABranchThatIsLeftWithOneBranchToIt() {
    Trie pair = Trie.EMPTY.put(ascii("xyz-1"), ONE).put(ascii("xyz-2"), TWO);
    Trie three = pair.put(ascii("x"), ONE);
    Trie four = three.put(ascii("abc"), ONE);
    assertThat(sameStructure(checked(three.remove(ascii("x"))), pair)).isTrue();
    assertThat(sameStructure(checked(four.remove(ascii("abc"))), three)).isTrue();
  }

  @Test
  void becomesDenseBeyondTheUpperThresholdAndSparseBelowTheLower() {
    for (IntFunction<Integer> label : labelOrders()) {
      NavigableMap<byte[], byte[]> model = newModel();
      Trie trie = Trie.EMPTY;
      for (int i = 0; i < 256; i++) {
        byte[] key = bytes(label.apply(i), 7);
        model.put(key, ONE);
        trie = trie.put(key, ONE);
        assertSameContent(trie, model);
        assertThat(isDense(trie)).as("after %d puts", i + 1).isEqualTo(i + 1 > Branch.MAX_SPARSE);
      }
      for (int i = 255; i > 0; i--) {
        byte[] key = bytes(label.apply(i), 7);
        model.remove(key);
        trie = trie.remove(key);
        assertSameContent(trie, model);
        assertThat(isDense(trie)).as("with %d left", i).isEqualTo(i >= Branch.MIN_DENSE);
      }
    }
  }

  @Test
  void staysAsItIsBetweenTheThresholds() {
    Trie sparse = Trie.EMPTY;
    for (int i = 0; i < Branch.MAX_SPARSE; i++) {
      sparse = sparse.put(bytes(i), ONE);
    }
    Trie dense = sparse.put(bytes(Branch.MAX_SPARSE), ONE);
    assertThat(isDense(sparse)).isFalse();
    assertThat(isDense(dense)).isTrue();
    Trie back = checked(dense.remove(bytes(Branch.MAX_SPARSE)));
    assertThat(isDense(back)).isTrue();
    assertThat(sameStructure(back, sparse)).isTrue();
    assertThat(isDense(checked(back.put(bytes(0), TWO).put(bytes(), TWO)))).isTrue();
  }

  @Test
  void leavesTheMiddleOfADenseBranchUnset() {
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 256; i += 2) {
      trie = trie.put(bytes(i), ONE);
    }
    assertThat(isDense(trie)).isTrue();
    for (int i = 1; i < 256; i += 2) {
      assertThat(trie.get(bytes(i))).isNull();
      assertThat(trie.remove(bytes(i))).isSameAs(trie);
    }
  }

  @Test
  void holdsSuffixesAndValuesOfAllLengthsAroundTheLimitOfPacking() {
    int[] lengths = {0, 1, Leaf.MAX_PACKED - 1, Leaf.MAX_PACKED, Leaf.MAX_PACKED + 1};
    for (int suffixLength : lengths) {
      for (int valueLength : lengths) {
        NavigableMap<byte[], byte[]> model = newModel();
        byte[] value = new byte[valueLength];
        Arrays.fill(value, (byte) 7);
        byte[] key = new byte[suffixLength];
        model.put(key, value);
        Trie alone = Trie.EMPTY.put(key, value);
        assertSameContent(alone, model);
        byte[] longer = Arrays.copyOf(key, suffixLength + 1);
        model.put(longer, value);
        assertSameContent(alone.put(longer, value), model);
        model.remove(key);
        assertSameContent(alone.put(longer, value).remove(key), model);
      }
    }
  }

  @Test
  void doesNotCopyLargeValues() {
    byte[] large = new byte[Leaf.MAX_PACKED + 1];
    Trie trie = Trie.EMPTY.put(ascii("tree"), large);
    assertThat(trie.get(ascii("tree"))).isSameAs(large);
    assertThat(trie.put(ascii("trie"), ONE).get(ascii("tree"))).isSameAs(large);
    Trie back = trie.put(ascii("trie"), ONE).remove(ascii("trie"));
    assertThat(back.get(ascii("tree"))).isSameAs(large);
  }

  @Test
  void refusesNulls() {
    Trie trie = Trie.EMPTY.put(bytes(), ONE);
    for (Trie each : new Trie[] {Trie.EMPTY, trie}) {
      assertThatNullPointerException().isThrownBy(() -> each.put(bytes(1), null));
      assertThatNullPointerException().isThrownBy(() -> each.put(null, ONE));
      assertThatNullPointerException().isThrownBy(() -> each.get(null));
      assertThatNullPointerException().isThrownBy(() -> each.remove(null));
    }
  }

  private static boolean isDense(Trie trie) {
    return trie.root() instanceof Branch branch && branch.isDense();
  }

  private static Iterable<IntFunction<Integer>> labelOrders() {
    return List.of(i -> i, i -> 255 - i, i -> i * 37 % 256);
  }
}
