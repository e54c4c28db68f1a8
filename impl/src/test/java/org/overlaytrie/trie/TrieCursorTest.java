package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.bytes;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrieCursorTest {
  private static final byte[] VALUE = {1};

  @Test
  void ordersKeysByUnsignedBytesAndPrefixesFirst() {
    List<byte[]> ordered =
        List.of(
            bytes(),
            bytes(0),
            bytes(0, 0),
            bytes(0, 0xFF),
            bytes(1),
            bytes(0x7F),
            bytes(0x7F, 0xFF),
            bytes(0x80),
            bytes(0x80, 0),
            bytes(0xFF),
            bytes(0xFF, 0xFF));
    Trie trie = Trie.EMPTY;
    for (int i = ordered.size() - 1; i >= 0; i--) {
      trie = trie.put(ordered.get(i), VALUE);
    }
    assertThat(keys(trie)).usingElementComparator(java.util.Arrays::compare).isEqualTo(ordered);
  }

  @Test
  void isOnNoEntryBeforeTheFirstAndAfterTheLast() {
    for (Trie trie : List.of(Trie.EMPTY, Trie.EMPTY.put(ascii("a"), VALUE))) {
      TrieCursor cursor = trie.cursor();
      assertIsOnNoEntry(cursor);
      for (long i = 0; i < trie.size(); i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.value()).isEqualTo(VALUE);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(cursor.next()).isFalse();
        assertIsOnNoEntry(cursor);
      }
    }
  }

  @Test
  void handsOutKeysThatTheCallerMayChange() {
    Trie trie = Trie.EMPTY.put(ascii("a"), VALUE);
    for (Trie each : List.of(trie, trie.put(ascii("ab"), VALUE), trie.put(ascii("b"), VALUE))) {
      TrieCursor cursor = each.cursor();
      while (cursor.next()) {
        byte[] key = cursor.key();
        key[0] = 'z';
        assertThat(cursor.key()[0]).isNotEqualTo((byte) 'z');
        assertThat(each.get(cursor.key())).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void goesOnOverTheTrieItWasOpenedOn() {
    Trie trie = Trie.EMPTY.put(ascii("a"), VALUE).put(ascii("c"), VALUE);
    TrieCursor cursor = trie.cursor();
    assertThat(cursor.next()).isTrue();
    assertThat(trie.put(ascii("b"), VALUE).remove(ascii("c")).size()).isEqualTo(2);
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.key()).isEqualTo(ascii("c"));
    assertThat(cursor.next()).isFalse();
  }

  private static void assertIsOnNoEntry(TrieCursor cursor) {
    assertThatIllegalStateException().isThrownBy(cursor::key).withMessageContaining("entry");
    assertThatIllegalStateException().isThrownBy(cursor::value).withMessageContaining("entry");
  }

  private static List<byte[]> keys(Trie trie) {
    List<byte[]> keys = new ArrayList<>();
    for (TrieCursor cursor = trie.cursor(); cursor.next(); ) {
      keys.add(cursor.key());
    }
    return keys;
  }
}
