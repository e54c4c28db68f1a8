package org.overlaytrie.trie;

/** The payload of a record in the making. Its array is used again for the next one. */
final class PayloadWriter {
  /** The most bytes that a number takes. */
  static final int MAX_NUMBER_BYTES = 9;

  /** A larger array is not kept for the next record. */
  private static final int KEPT_BYTES = 1 << 20;

  private byte[] bytes = new byte[1_024];
  private int length;

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Begins a payload that has at most {@code maxBytes} bytes. */
  void begin(int maxBytes) {
    length = 0;
    if (maxBytes > bytes.length || bytes.length > KEPT_BYTES) {
      bytes = new byte[Math.max(maxBytes, KEPT_BYTES / 16)];
    }
  }

  void octet(int value) {
    bytes[length++] = (byte) value;
  }

  /**
   * A number that is not negative: seven bits in each byte, the lowest first, 0x80 in all but the
   * last.
   */
  void number(long value) {
    long rest = value;
    while (rest > 0x7F) {
      octet(((int) rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    octet((int) rest);
  }

  void bytes(byte[] source, int from, int to) {
    System.arraycopy(source, from, bytes, length, to - from);
    length += to - from;
  }
}
