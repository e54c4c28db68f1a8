package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences between tries, compared with those between the JDK's maps. */
class TrieDiffTest {
  private static final int SEEDS = 30;
  private static final int KEY_BYTES = 65_536;
  private static final byte[] VALUE = {1};
  private static final byte[] OTHER = {2};

  @ParameterizedTest
  @MethodSource("org.overlaytrie.trie.Residency#withKeys")
  void findsWhatTheModelFindsBetweenAnyTwoVersions(Keys keys, Residency residency) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Residency.Mover mover = residency.mover(random);
      NavigableMap<byte[], byte[]> model = newModel();
      Trie trie = Trie.EMPTY;
      List<Trie> tries = new ArrayList<>(List.of(trie));
      List<NavigableMap<byte[], byte[]>> models = new ArrayList<>(List.of(newModel()));
      for (int i = 0; i < 300; i++) {
        byte[] key = keys.next(random);
        byte[] value = {(byte) random.nextInt(3)};
        if (random.nextInt(3) == 0) {
          trie = trie.remove(key);
          model.remove(key);
        } else {
          trie = trie.put(key, value);
          model.put(key, value);
        }
        if (i % 7 == 0) {
          trie = mover.move(trie);
        }
        if (i % 60 == 0) {
          tries.add(trie);
          models.add(new TreeMap<>(model));
        }
      }
      tries.add(mover.move(rebuilt(model))); // shares nothing
      models.add(model);
      for (int before = 0; before < tries.size(); before++) {
        for (int after = 0; after < tries.size(); after++) {
          assertThat(changes(tries.get(before).diff(tries.get(after))))
              .as("%s, seed %d, from %d to %d", keys, seed, before, after)
              .isEqualTo(changes(models.get(before), models.get(after)));
        }
      }
    }
  }

  @Test
  void visitsTheWayToTheChangeAndNothingElse() {
    Random random = new Random(1);
    Trie before = Trie.EMPTY;
    for (int i = 0; i < 100_000; i++) {
      before = before.put(ByteBuffer.allocate(8).putLong(random.nextLong()).array(), VALUE);
    }
    byte[] key = ByteBuffer.allocate(8).putLong(random.nextLong()).array();
    Trie after = before.put(key, OTHER);
    for (TrieDiff diff : List.of(before.diff(after), after.diff(before))) {
      assertThat(diff.next()).isTrue();
      assertThat(diff.key()).isEqualTo(key);
      assertThat(diff.next()).isFalse();
      assertThat(diff.visited()).isLessThanOrEqualTo(key.length + 1);
    }
    TrieDiff none = before.diff(before);
    assertThat(none.next()).isFalse();
    assertThat(none.visited()).isZero();
  }

  @Test
  void showsBothValuesOnlyWhileItIsOnADifference() {
    Trie before = Trie.EMPTY.put(ascii("a"), VALUE).put(ascii("b"), VALUE);
    TrieDiff diff = before.diff(before.put(ascii("a"), OTHER).remove(ascii("b")));
    assertIsOnNothing(diff);
    assertThat(diff.next()).isTrue();
    assertThat(diff.before()).isEqualTo(VALUE);
    assertThat(diff.after()).isEqualTo(OTHER);
    assertThat(diff.next()).isTrue();
    assertThat(diff.before()).isEqualTo(VALUE);
    assertThat(diff.after()).isNull();
    assertThat(diff.next()).isFalse();
    assertThat(diff.next()).isFalse();
    assertIsOnNothing(diff);
  }

  @Test
  void comparesTriesThatAreAsDeepAsKeysAreLong() {
    TrieBuilder all = new TrieBuilder();
    TrieBuilder odd = new TrieBuilder();
    for (int length = 0; length <= KEY_BYTES; length++) {
      byte[] key = new byte[length];
      all.add(key, VALUE);
      if (length % 2 == 1) {
        odd.add(key, VALUE);
      }
    }
    TrieDiff diff = odd.build().diff(all.build());
    for (int length = 0; length <= KEY_BYTES; length += 2) {
      assertThat(diff.next()).isTrue();
      assertThat(diff.before()).isNull();
    }
    assertThat(diff.key()).hasSize(KEY_BYTES);
    assertThat(diff.next()).isFalse();
  }

  private static void assertIsOnNothing(TrieDiff diff) {
    assertThatIllegalStateException().isThrownBy(diff::key);
    assertThatIllegalStateException().isThrownBy(diff::before);
    assertThatIllegalStateException().isThrownBy(diff::after);
  }

  private static Trie rebuilt(NavigableMap<byte[], byte[]> model) {
    TrieBuilder builder = new TrieBuilder();
    model.forEach((key, value) -> builder.add(key, value.clone()));
    return builder.build();
  }

  private static List<String> changes(TrieDiff diff) {
    List<String> changes = new ArrayList<>();
    while (diff.next()) {
      changes.add(change(diff.key(), diff.before(), diff.after()));
    }
    return changes;
  }

  private static List<String> changes(
      NavigableMap<byte[], byte[]> before, NavigableMap<byte[], byte[]> after) {
    NavigableSet<byte[]> keys = new TreeSet<>(before.navigableKeySet());
    keys.addAll(after.keySet());
    return keys.stream()
        .filter(key -> !Arrays.equals(before.get(key), after.get(key)))
        .map(key -> change(key, before.get(key), after.get(key)))
        .toList();
  }

  private static String change(byte[] key, byte[] before, byte[] after) {
    return HexFormat.of().formatHex(key)
        + " "
        + Arrays.toString(before)
        + " "
        + Arrays.toString(after);
  }
}
