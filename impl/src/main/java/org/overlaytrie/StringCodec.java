package org.overlaytrie;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Strings in UTF-8, strictly: what has no encoding, or is none, is rejected. */
final class StringCodec {
  /** What {@link String#String(byte[], java.nio.charset.Charset)} puts for malformed bytes. */
  private static final char REPLACEMENT = '\uFFFD';

  static final Codec<String> INSTANCE =
      new FunctionCodec<>(
          "string", 1, StringCodec::encode, StringCodec::decode, StringCodec::compareCodePoints);

  private StringCodec() {}

  private static byte[] encode(String string) {
    rejectLoneSurrogates(string);
    return string.getBytes(StandardCharsets.UTF_8);
  }

  private static String decode(byte[] bytes) {
    String string = new String(bytes, StandardCharsets.UTF_8);
    if (string.indexOf(REPLACEMENT) >= 0) {
      rejectMalformed(bytes);
    }
    return string;
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
    int index = 0;
    while (index < string.length()) {
      int codePoint = string.codePointAt(index);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException(
            String.format("lone surrogate U+%04X at index %d of the string", codePoint, index));
      }
      index += Character.charCount(codePoint);
    }
  }

  private static void rejectMalformed(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      throw new IllegalArgumentException(
          String.format(
              "malformed UTF-8: byte 0x%02X at offset %d of %d",
              in.get(in.position()), in.position(), bytes.length));
    }
  }
}
