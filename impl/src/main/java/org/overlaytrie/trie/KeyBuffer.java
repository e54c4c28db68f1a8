package org.overlaytrie.trie;

import java.util.Arrays;

/** The key bytes on the way to where a walk is. */
final class KeyBuffer {
  private static final int INITIAL_CAPACITY = 32;

  private byte[] bytes = new byte[INITIAL_CAPACITY];
  private int length;

  int length() {
    return length;
  }

  void add(int label) {
    reserve(length + 1);
    bytes[length++] = (byte) label;
  }

  /** Adds {@code count} bytes of {@code source} from {@code from} on. */
  void add(byte[] source, int from, int count) {
    reserve(length + count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  void cutTo(int newLength) {
    length = newLength;
  }

  /** A copy. */
  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** What {@code reader} makes of the bytes. */
  <T> T read(ByteReader<T> reader) {
    return reader.read(bytes, 0, length);
  }

  private void reserve(int needed) {
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
  }
}
