package org.overlaytrie;

import java.util.Arrays;
import java.util.HexFormat;

/** One end of a view as its caller asked for it: a key, and whether it is inside. */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
record Bound(Object key, byte[] encoded, boolean inclusive) {

  private static final int MAX_DESCRIBED = 100;

  /** The least encoded key that is inside if this is the lower end. */
  byte[] from() {
    return inclusive ? encoded : successor(encoded);
  }

  /** The least encoded key that is outside if this is the upper end. */
  byte[] to() {
    return inclusive ? successor(encoded) : encoded;
  }

  int compareTo(byte[] other) {
    return Arrays.compareUnsigned(encoded, other);
  }

  /** The least key greater than {@code key} in the order of unsigned bytes: no key is between. */
  static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** A key, or an array of bytes as such, for a message; the beginning, if it is long. */
  static String describe(Object key) {
    String text =
        key instanceof byte[] bytes
            ? "0x" + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MAX_DESCRIBED))
            : String.valueOf(key);
    return text.length() > MAX_DESCRIBED ? text.substring(0, MAX_DESCRIBED) + "..." : text;
  }

  @Override
  public String toString() {
    return describe(key) + (inclusive ? " inclusive" : " exclusive");
  }
}
