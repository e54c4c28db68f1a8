package org.overlaytrie.trie;

import java.util.Arrays;

/** What the trie does with parts of keys. */
final class Bytes {
  /** The one empty array, as most branches have no prefix and an array takes 16 bytes. */
  private static final byte[] NONE = {};

  private Bytes() {}

  /** The label, from 0 to 255, of the slot for keys that go on with {@code next}. */
  static int label(byte next) {
    return next & 0xFF;
  }

  /** Whether {@code key} has {@code fragment} at {@code offset}. */
  static boolean hasAt(byte[] key, int offset, byte[] fragment) {
    return fragment.length <= key.length - offset
        && Arrays.equals(key, offset, offset + fragment.length, fragment, 0, fragment.length);
  }

  /** Whether {@code fragment} is all that is left of {@code key} from {@code offset} on. */
  static boolean isRest(byte[] key, int offset, byte[] fragment) {
    return Arrays.equals(key, offset, key.length, fragment, 0, fragment.length);
  }

  /** The number of bytes from the start of {@code fragment} that {@code key} has at an offset. */
  static int shared(byte[] key, int offset, byte[] fragment) {
    return shared(key, offset, fragment, 0);
  }

  /**
   * The number of bytes that the rests of two arrays, from an offset each, begin with in common.
   */
  static int shared(byte[] one, int offset, byte[] other, int otherOffset) {
    int difference = Arrays.mismatch(one, offset, one.length, other, otherOffset, other.length);
    return difference < 0 ? one.length - offset : difference;
  }

  /** The first {@code length} bytes. */
  static byte[] head(byte[] bytes, int length) {
    return length == 0 ? NONE : Arrays.copyOf(bytes, length);
  }

  /** The bytes from {@code from} on. */
  static byte[] tail(byte[] bytes, int from) {
    return part(bytes, from, bytes.length);
  }

  /** The bytes from {@code from} on and before {@code to}. */
  static byte[] part(byte[] bytes, int from, int to) {
    return from == to ? NONE : Arrays.copyOfRange(bytes, from, to);
  }

  /** The first {@code length} bytes of {@code start}, a label and {@code rest}. */
  static byte[] join(byte[] start, int length, int label, byte[] rest) {
    byte[] joined = new byte[length + 1 + rest.length];
    System.arraycopy(start, 0, joined, 0, length);
    joined[length] = (byte) label;
    System.arraycopy(rest, 0, joined, length + 1, rest.length);
    return joined;
  }
}
