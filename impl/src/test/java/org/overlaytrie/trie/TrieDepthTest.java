package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.newModel;
import static org.overlaytrie.trie.TrieChecker.checked;

import java.util.Arrays;
import java.util.NavigableMap;
import org.junit.jupiter.api.Test;

/** Keys of 64 KiB, the longest that a store takes, as deep as they can make a trie. */
class TrieDepthTest {
  private static final int KEY_BYTES = 65_536;
  private static final byte[] VALUE = {1};
  private static final byte[] OTHER = {2};

  /** All keys of a's up to 64 KiB. */
  private static final Trie NESTED = nested();

  @Test
  void worksAtTheBottomOfOneBranchForEachKeyByte() {
    Trie deep = NESTED;
    assertThat(deep.size()).isEqualTo(KEY_BYTES + 1);
    assertThat(depth(deep)).isEqualTo(KEY_BYTES + 1);
    checked(deep);

    byte[] longest = key(KEY_BYTES);
    assertThat(deep.get(longest)).isEqualTo(VALUE);
    assertThat(deep.get(key(KEY_BYTES + 1))).isNull();
    Trie changed = deep.put(longest, OTHER);
    assertThat(changed.get(longest)).isEqualTo(OTHER);
    assertThat(deep.get(longest)).isEqualTo(VALUE);
    Trie smaller = checked(deep.remove(longest));
    assertThat(smaller.size()).isEqualTo(KEY_BYTES);
    assertThat(smaller.get(longest)).isNull();
    assertThat(smaller.get(key(KEY_BYTES - 1))).isEqualTo(VALUE);
    byte[] sibling = key(KEY_BYTES);
    sibling[KEY_BYTES - 1] = 'b';
    Trie wider = checked(deep.put(sibling, OTHER));
    assertThat(wider.get(sibling)).isEqualTo(OTHER);
    assertThat(wider.get(longest)).isEqualTo(VALUE);
  }

  @Test
  void visitsTheBottomAndComesBackUp() {
    byte[] after = {'b'};
    TrieCursor cursor = NESTED.put(after, OTHER).cursor();
    for (int length = 0; length <= KEY_BYTES; length++) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.value()).isEqualTo(VALUE);
      if (length % 4_096 == 0) {
        assertThat(cursor.key()).isEqualTo(key(length));
      }
    }
    assertThat(cursor.next()).isTrue();
    assertThat(cursor.key()).isEqualTo(after);
    assertThat(cursor.next()).isFalse();
  }

  @Test
  void seeksRanksAndGoesBackFromTheBottom() {
    TrieCursor cursor = NESTED.cursor();
    for (int length = 0; length <= KEY_BYTES; length += 8_191) {
      byte[] key = key(length);
      assertThat(NESTED.rank(key)).isEqualTo(length);
      assertThat(cursor.seekRank(length)).isTrue();
      assertThat(cursor.key()).isEqualTo(key);
      assertThat(cursor.seek(key)).isTrue();
      assertThat(cursor.key()).isEqualTo(key);
      assertThat(cursor.seekBefore(key)).isEqualTo(length > 0);
    }
    assertThat(cursor.seekLast()).isTrue();
    for (int length = KEY_BYTES; length > 0; length--) {
      assertThat(cursor.previous()).isTrue();
    }
    assertThat(cursor.key()).isEmpty();
    assertThat(cursor.previous()).isFalse();
  }

  @Test
  void removesRangesDownToTheBottom() {
    for (int length : new int[] {0, 1, 1_000, KEY_BYTES - 1, KEY_BYTES}) {
      byte[] bound = key(length);
      assertThat(checked(NESTED.removeRange(bound, null)).size()).isEqualTo(length);
      Trie rest = checked(NESTED.removeRange(key(0), bound));
      assertThat(rest.size()).isEqualTo(KEY_BYTES + 1 - length);
    }
    assertThat(checked(NESTED.removeRange(key(5), key(KEY_BYTES))).size()).isEqualTo(6);
  }

  @Test
  void splitsAndJoinsLongPrefixes() {
    NavigableMap<byte[], byte[]> model = newModel();
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 64; i++) {
      byte[] key = key(KEY_BYTES);
      key[KEY_BYTES - 1 - i * 1_000] = 'b';
      model.put(key, VALUE);
      trie = trie.put(key, VALUE);
    }
    assertSameContent(trie, model);
    while (!model.isEmpty()) {
      byte[] key = model.firstKey();
      model.remove(key);
      trie = trie.remove(key);
      assertSameContent(trie, model);
    }
  }

  /** Puts the longest key first, so that each put changes the root only. */
  private static Trie nested() {
    Trie trie = Trie.EMPTY;
    for (int length = KEY_BYTES; length >= 0; length--) {
      trie = trie.put(key(length), VALUE);
    }
    return trie;
  }

  private static byte[] key(int length) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) 'a');
    return key;
  }

  private static int depth(Trie trie) {
    int depth = 1;
    Node node = trie.root();
    while (node instanceof Branch branch) {
      node = branch.childAt(branch.nextPosition(0));
      depth++;
    }
    return depth;
  }
}
