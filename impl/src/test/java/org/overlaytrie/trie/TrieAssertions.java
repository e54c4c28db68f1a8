package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What the tests of the trie share: the model, and the comparison with it. */
final class TrieAssertions {
  private TrieAssertions() {}

  /** The model: the JDK's ordered map under the trie's order. */
  static NavigableMap<byte[], byte[]> newModel() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Compares the whole content, by cursor and by key, and checks the structure. */
  static void assertSameContent(Trie trie, Map<byte[], byte[]> model) {
    TrieChecker.checked(trie);
    assertThat(trie.size()).isEqualTo(model.size());
    TrieCursor cursor = trie.cursor();
    for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
      byte[] key = entry.getKey();
      if (!cursor.next()) {
        fail("the cursor ends before key %s", hex(key));
      }
      if (!Arrays.equals(cursor.key(), key)) {
        fail("the cursor is at key %s instead of %s", hex(cursor.key()), hex(key));
      }
      if (!Arrays.equals(cursor.value(), entry.getValue())
          || !Arrays.equals(trie.get(key), entry.getValue())) {
        fail("another value than was put, key %s", hex(key));
      }
    }
    assertThat(cursor.next()).as("an entry after the last").isFalse();
  }

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String hex(byte[] key) {
    return "0x" + HexFormat.of().formatHex(key, 0, Math.min(key.length, 100));
  }
}
