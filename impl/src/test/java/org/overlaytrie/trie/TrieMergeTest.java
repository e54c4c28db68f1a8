package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two tries put together, compared with two of the JDK's maps put together. */
class TrieMergeTest {
  private static final int SEEDS = 60;
  private static final int KEY_BYTES = 65_536;
  private static final byte[] VALUE = {1};
  private static final byte[] OTHER = {2};

  private static byte[] greater(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) > 0 ? one : other;
  }

  private static byte[] unused(byte[] one, byte[] other) {
    throw new AssertionError(
        "nothing to choose between " + Arrays.toString(one) + " and " + Arrays.toString(other));
  }

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void givesWhatTheModelGives(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> common = newModel();
      Residency.Mover mover = residency.mover(random);
      Trie base = mover.move(grown(Trie.EMPTY, common, keys, random, seed % 3 == 0 ? 0 : 200));
      NavigableMap<byte[], byte[]> left = new TreeMap<>(common);
      NavigableMap<byte[], byte[]> right = new TreeMap<>(common);
      Trie one = mover.move(grown(base, left, keys, random, random.nextInt(200)));
      Trie other = mover.move(grown(base, right, keys, random, random.nextInt(200)));
      Trie merged = one.merge(other, TrieMergeTest::greater);
      assertThat(merged.size()).as("%s, seed %d", keys, seed).isEqualTo(union(left, right).size());
      assertSameBytes(merged, union(left, right));
      assertThat(
              TrieChecker.sameStructure(merged, one.mergeInParallel(other, TrieMergeTest::greater)))
          .isTrue();
      assertThat(merged.merge(one, TrieMergeTest::greater))
          .as("nothing comes to it")
          .isSameAs(merged);
      assertSameBytes(one, left);
      assertSameBytes(other, right);
    }
  }

  @Test
  void asksForTheTwoValuesInTheirOrderAndOnlyWhereTheyDiffer() {
    Trie one = Trie.EMPTY.put(ascii("a"), VALUE).put(ascii("b"), VALUE).put(ascii("c"), VALUE);
    Trie other = Trie.EMPTY.put(ascii("a"), OTHER).put(ascii("b"), VALUE.clone());
    AtomicInteger asked = new AtomicInteger();
    byte[] chosen = {3};
    Trie merged =
        one.merge(
            other,
            (mine, theirs) -> {
              asked.incrementAndGet();
              assertThat(mine).isEqualTo(VALUE);
              assertThat(theirs).isEqualTo(OTHER);
              return chosen;
            });
    assertThat(asked).hasValue(1);
    assertThat(merged.get(ascii("a"))).isEqualTo(chosen);
  }

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void leavesOutWhatTheResolverAnswersNullFor(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> left = newModel();
      NavigableMap<byte[], byte[]> right = newModel();
      Residency.Mover mover = residency.mover(random);
      Trie one = mover.move(grown(Trie.EMPTY, left, keys, random, random.nextInt(300)));
      Trie other = mover.move(grown(Trie.EMPTY, right, keys, random, random.nextInt(300)));
      BinaryOperator<byte[]> resolver =
          (mine, theirs) -> mine[0] < theirs[0] ? null : greater(mine, theirs);
      NavigableMap<byte[], byte[]> model = new TreeMap<>(left);
      right.forEach(
          (key, value) ->
              model.merge(
                  key,
                  value,
                  (mine, theirs) ->
                      Arrays.equals(mine, theirs) ? mine : resolver.apply(mine, theirs)));
      Trie merged = one.merge(other, resolver);
      assertSameBytes(merged, model);
      assertThat(TrieChecker.sameStructure(merged, built(model)))
          .as("%s, seed %d: the one form", keys, seed)
          .isTrue();
      assertThat(TrieChecker.sameStructure(merged, one.mergeInParallel(other, resolver))).isTrue();
    }
  }

  @Test
  void nothingIsLeftWhereAllIsLeftOut() {
    Trie one = Trie.EMPTY.put(ascii("a"), VALUE).put(ascii("ab"), VALUE);
    Trie other = Trie.EMPTY.put(ascii("a"), OTHER).put(ascii("ab"), OTHER);
    assertThat(one.merge(other, (mine, theirs) -> null)).isSameAs(Trie.EMPTY);
  }

  @Test
  void theResolverIsAskedByNobodyOnceItHasThrown() {
    NavigableMap<byte[], byte[]> left = newModel();
    NavigableMap<byte[], byte[]> right = newModel();
    for (int i = 0; i < 100_000; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(i * 20_011).array();
      left.put(key, VALUE);
      right.put(key, OTHER);
    }
    Trie one = built(left);
    Trie other = built(right);
    for (int attempt = 0; attempt < 20; attempt++) {
      AtomicInteger asked = new AtomicInteger();
      int fatal = 1_000 * attempt;
      assertThatThrownBy(
              () ->
                  one.mergeInParallel(
                      other,
                      (mine, theirs) -> {
                        if (asked.getAndIncrement() == fatal) {
                          throw new ArithmeticException("mine");
                        }
                        return mine;
                      }))
          .isInstanceOf(ArithmeticException.class);
      int askedUntilThen = asked.get();
      assertThat(ForkJoinPool.commonPool().awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
      assertThat(asked).hasValue(askedUntilThen);
    }
  }

  @Test
  void sharesWhatOneSideHasAlone() {
    Trie one = Trie.EMPTY.put(ascii("xa1"), VALUE).put(ascii("xa2"), VALUE);
    Trie other =
        Trie.EMPTY.put(ascii("xb1"), VALUE).put(ascii("xb2"), VALUE).put(ascii("y"), OTHER);
    Trie merged = TrieChecker.checked(one.merge(other, TrieMergeTest::unused));
    assertThat(merged.size()).isEqualTo(5);
    Branch top = (Branch) merged.root();
    assertThat(top.child('y')).isSameAs(((Branch) other.root()).child('y'));
    Branch afterX = (Branch) top.child('x');
    Branch otherAfterX = (Branch) ((Branch) other.root()).child('x');
    assertThat(((Branch) afterX.child('b')).child('1')).isSameAs(otherAfterX.child('1'));
    assertThat(one.merge(Trie.EMPTY, TrieMergeTest::unused)).isSameAs(one);
    assertThat(Trie.EMPTY.merge(one, TrieMergeTest::unused).root()).isSameAs(one.root());
    assertThat(one.merge(one, TrieMergeTest::unused)).isSameAs(one);
    assertThat(Trie.EMPTY.merge(Trie.EMPTY, TrieMergeTest::unused)).isSameAs(Trie.EMPTY);
  }

  @Test
  void makesNewNodesOnlyWhereBothHaveChanged() {
    Random random = new Random(3);
    Trie base = Trie.EMPTY;
    for (int i = 0; i < 100_000; i++) {
      base = base.put(ByteBuffer.allocate(8).putLong(random.nextLong()).array(), VALUE);
    }
    byte[] mine = ByteBuffer.allocate(8).putLong(random.nextLong()).array();
    byte[] theirs = ByteBuffer.allocate(8).putLong(random.nextLong()).array();
    Trie one = base.put(mine, VALUE);
    Trie other = base.put(theirs, OTHER);
    Set<Node> known = Collections.newSetFromMap(new IdentityHashMap<>());
    known.addAll(TrieChecker.nodes(one.root()));
    known.addAll(TrieChecker.nodes(other.root()));
    Trie merged = one.merge(other, TrieMergeTest::unused);
    assertThat(merged.size()).isEqualTo(base.size() + 2);
    assertThat(TrieChecker.nodes(merged.root()).stream().filter(node -> !known.contains(node)))
        .hasSizeLessThanOrEqualTo(mine.length);
  }

  @Test
  void takesTheOtherWholeWhereItHasEverything() {
    Trie one = Trie.EMPTY.put(ascii("ab"), VALUE);
    Trie other = one.put(ascii("abc"), VALUE).put(ascii("b"), VALUE);
    assertThat(one.merge(other, TrieMergeTest::unused).root()).isSameAs(other.root());
  }

  @Test
  void mergesLargeTriesWithTasks() {
    NavigableMap<byte[], byte[]> left = newModel();
    NavigableMap<byte[], byte[]> right = newModel();
    Random random = new Random(5);
    for (int i = 0; i < 60_000; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(random.nextInt(200_000) * 20_011).array();
      (random.nextBoolean() ? left : right).put(key, new byte[] {(byte) random.nextInt(3)});
    }
    Trie merged = built(left).mergeInParallel(built(right), TrieMergeTest::greater);
    assertSameBytes(merged, union(left, right));
  }

  @Test
  void mergesTriesThatAreAsDeepAsKeysAreLong() {
    TrieBuilder even = new TrieBuilder();
    TrieBuilder odd = new TrieBuilder();
    for (int length = 0; length <= KEY_BYTES; length++) {
      (length % 2 == 0 ? even : odd).add(new byte[length], VALUE);
    }
    Trie one = even.build();
    Trie other = odd.build();
    for (Trie merged :
        List.of(
            one.merge(other, TrieMergeTest::unused),
            one.mergeInParallel(other, TrieMergeTest::unused))) {
      assertThat(TrieChecker.checked(merged).size()).isEqualTo(KEY_BYTES + 1);
      assertThat(merged.get(new byte[KEY_BYTES])).isEqualTo(VALUE);
    }
  }

  private static Trie grown(
      Trie start, Map<byte[], byte[]> model, Keys keys, Random random, int changes) {
    Trie trie = start;
    for (int i = 0; i < changes; i++) {
      byte[] key = keys.next(random);
      byte[] value = {(byte) random.nextInt(4)};
      boolean put = random.nextInt(4) > 0;
      trie = put ? trie.put(key, value) : trie.remove(key);
      if (put) {
        model.put(key, value);
      } else {
        model.remove(key);
      }
    }
    return trie;
  }

  private static Trie built(NavigableMap<byte[], byte[]> model) {
    TrieBuilder builder = new TrieBuilder();
    model.forEach(builder::add);
    return builder.build();
  }

  private static NavigableMap<byte[], byte[]> union(
      NavigableMap<byte[], byte[]> one, NavigableMap<byte[], byte[]> other) {
    NavigableMap<byte[], byte[]> union = new TreeMap<>(one);
    other.forEach((key, value) -> union.merge(key, value, TrieMergeTest::greater));
    return union;
  }

  /** The content, whichever of two equal arrays is there. */
  private static void assertSameBytes(Trie trie, NavigableMap<byte[], byte[]> model) {
    NavigableMap<byte[], byte[]> same = newModel();
    for (TrieCursor cursor = trie.cursor(); cursor.next(); ) {
      assertThat(cursor.value()).isEqualTo(model.get(cursor.key()));
      same.put(cursor.key(), cursor.value());
    }
    assertThat(same.keySet()).containsExactlyElementsOf(model.keySet());
    assertSameContent(trie, same);
  }
}
