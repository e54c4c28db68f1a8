package org.overlaytrie;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Strings in UTF-8, strictly: what has no encoding, or is none, is rejected. */
final class StringCodec implements Codec<String> {
  static final Codec<String> INSTANCE = new StringCodec();

  /** What {@link String#String(byte[], java.nio.charset.Charset)} puts for malformed bytes. */
  private static final char REPLACEMENT = '\uFFFD';

  private StringCodec() {}

  @Override
  public String name() {
    return "string";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public byte[] encode(String string) {
    rejectLoneSurrogates(string);
    return string.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  @Override
  public String decode(byte[] bytes, int from, int to) {
    String string = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if (string.indexOf(REPLACEMENT) >= 0) {
      rejectMalformed(ByteBuffer.wrap(bytes, from, to - from).slice());
    }
    return string;
  }

  @Override
  public Comparator<String> comparator() {
    return StringCodec::compareCodePoints;
  }

  /**
   * Where two strings differ, a surrogate belongs to a code point from U+10000 on and comes after
   * any other unit.
   */
  private static int compareCodePoints(String one, String other) {
    int common = Math.min(one.length(), other.length());
    for (int i = 0; i < common; i++) {
      char left = one.charAt(i);
      char right = other.charAt(i);
      if (left != right) {
        boolean surrogate = Character.isSurrogate(left);
        if (surrogate == Character.isSurrogate(right)) {
          return Character.compare(left, right);
        }
        return surrogate ? 1 : -1;
      }
    }
    return Integer.compare(one.length(), other.length());
  }

  private static void rejectLoneSurrogates(String string) {
    for (int index = 0; index < string.length(); index++) {
      char unit = string.charAt(index);
      if (Character.isSurrogate(unit)) {
        boolean paired =
            Character.isHighSurrogate(unit)
                && index + 1 < string.length()
                && Character.isLowSurrogate(string.charAt(index + 1));
        if (!paired) {
          throw new IllegalArgumentException(
              String.format("lone surrogate U+%04X at index %d of the string", (int) unit, index));
        }
        index++;
      }
    }
  }

  private static void rejectMalformed(ByteBuffer in) {
    CharBuffer out = CharBuffer.allocate(in.limit());
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      throw new IllegalArgumentException(
          String.format(
              "malformed UTF-8: byte 0x%02X at offset %d of %d",
              in.get(in.position()), in.position(), in.limit()));
    }
  }
}
