package org.overlaytrie.trie;

import java.util.Arrays;

/** What the trie does with parts of keys. */
final class Bytes {
  /** The one empty array, as an array takes 16 bytes even so. */
  private static final byte[] NONE = {};

  private Bytes() {}

  /** The label, from 0 to 255, of the slot for keys that go on with {@code next}. */
  static int label(byte next) {
    return next & 0xFF;
  }

  /**
   * The number of bytes that two parts of arrays, from an offset to an end each, begin with in
   * common.
   */
  static int shared(byte[] one, int from, int to, byte[] other, int otherFrom, int otherTo) {
    int difference = Arrays.mismatch(one, from, to, other, otherFrom, otherTo);
    return difference < 0 ? to - from : difference;
  }

  /** The bytes from {@code from} on and before {@code to}. */
  static byte[] part(byte[] bytes, int from, int to) {
    return withRoom(bytes, from, to, 0);
  }

  /** The same, followed by {@code room} zeros. */
  static byte[] withRoom(byte[] bytes, int from, int to, int room) {
    int length = to - from;
    if (length + room == 0) {
      return NONE;
    }
    byte[] part = new byte[length + room];
    System.arraycopy(bytes, from, part, 0, length);
    return part;
  }

  /** The first {@code length} bytes of {@code start}, a label and a part of {@code rest}. */
  static byte[] join(byte[] start, int length, int label, byte[] rest, int restLength) {
    byte[] joined = withRoom(start, 0, length, 1 + restLength);
    joined[length] = (byte) label;
    System.arraycopy(rest, 0, joined, length + 1, restLength);
    return joined;
  }
}
