package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.bytes;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is built in one pass has the form of what is put entry by entry. */
class TrieBuilderTest {
  private static final int SEEDS = 60;
  private static final int KEY_BYTES = 65_536;
  private static final byte[] VALUE = {1};

  @ParameterizedTest
  @EnumSource
  void buildsTheFormThatSinglePutsGive(Keys keys) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> model = newModel();
      for (int i = random.nextInt(600); i > 0; i--) {
        model.put(keys.next(random), new byte[] {(byte) i});
      }
      Trie put = Trie.EMPTY;
      TrieBuilder builder = new TrieBuilder();
      for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
        put = put.put(entry.getKey(), entry.getValue());
        builder.add(entry.getKey(), entry.getValue());
      }
      Trie built = builder.build();
      assertSameContent(built, model);
      assertThat(TrieChecker.sameStructure(built, put)).as("%s, seed %d", keys, seed).isTrue();
    }
  }

  @Test
  void buildsTheEmptyTrieAndThatOfTheEmptyKey() {
    assertThat(new TrieBuilder().build()).isSameAs(Trie.EMPTY);
    TrieBuilder builder = new TrieBuilder();
    builder.add(bytes(), VALUE);
    Trie one = TrieChecker.checked(builder.build());
    assertThat(one.get(bytes())).isEqualTo(VALUE);
  }

  @Test
  void refusesKeysThatAreNotGreaterAndNamesBoth() {
    for (List<byte[]> pair :
        List.of(
            List.of(bytes(), bytes()),
            List.of(ascii("ab"), ascii("ab")),
            List.of(ascii("ab"), ascii("a")),
            List.of(ascii("a"), bytes()),
            List.of(ascii("b"), ascii("abc")),
            List.of(bytes(0x80), bytes(0x7F, 1)),
            List.of(bytes(0xFF), bytes(0)))) {
      TrieBuilder builder = new TrieBuilder();
      builder.add(pair.get(0), VALUE);
      assertThatIllegalArgumentException().isThrownBy(() -> builder.add(pair.get(1), VALUE));
      builder.add(bytes(0xFF, 0xFF), VALUE); // as if nothing had happened
      Trie built = TrieChecker.checked(builder.build());
      assertThat(built.size()).isEqualTo(2);
    }
    TrieBuilder builder = new TrieBuilder();
    builder.add(bytes(0x80, 0), VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(bytes(0x7F), VALUE))
        .withMessageContainingAll("0x7f", "0x8000");
  }

  @Test
  void endsWithTheTrie() {
    TrieBuilder builder = new TrieBuilder();
    builder.add(bytes(1), VALUE);
    assertThat(builder.build().size()).isEqualTo(1);
    assertThatIllegalStateException().isThrownBy(() -> builder.add(bytes(2), VALUE));
  }

  @Test
  void buildsOneBranchForEachKeyByte() {
    TrieBuilder builder = new TrieBuilder();
    for (int length = 0; length <= KEY_BYTES; length++) {
      builder.add(new byte[length], VALUE);
    }
    byte[] after = {1};
    builder.add(after, VALUE);
    Trie built = TrieChecker.checked(builder.build());
    assertThat(built.size()).isEqualTo(KEY_BYTES + 2);
    assertThat(built.get(new byte[KEY_BYTES])).isEqualTo(VALUE);
    assertThat(built.get(after)).isEqualTo(VALUE);
  }
}
