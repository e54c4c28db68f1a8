package org.overlaytrie;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * The codecs that come with the store. Each can be used for keys and for values, by any number of
 * threads, and rejects {@code null} with a {@link NullPointerException}.
 */
public final class Codecs {
  private static final Codec<byte[]> BYTES = new BytesCodec();
  private static final Codec<String> STRING = new StringCodec();
  private static final Codec<Long> LONG = new LongCodec();

  private Codecs() {}

  /**
   * Byte arrays as they are, under the name {@code bytes}. As keys they are ordered by unsigned
   * comparison, a key that another begins with first. Arrays are copied in and out, so that a
   * caller who changes one does not change the map.
   */
  public static Codec<byte[]> bytes() {
    return BYTES;
  }

  /**
   * Strings in UTF-8, under the name {@code string}. As keys they are ordered by code points, which
   * is not quite the order of {@link String#compareTo}: that puts code points from U+10000 on
   * before those from U+E000 to U+FFFF. A string with a surrogate that is not part of a pair has no
   * UTF-8 encoding and is rejected.
   */
  public static Codec<String> string() {
    return STRING;
  }

  /**
   * Signed 64-bit numbers in 8 bytes, most significant first and with the sign bit flipped, under
   * the name {@code long}. As keys they are ordered as numbers.
   */
  public static Codec<Long> longs() {
    return LONG;
  }

  private static final class BytesCodec implements Codec<byte[]> {
    @Override
    public String name() {
      return "bytes";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public byte[] encode(byte[] object) {
      return object.clone();
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes.clone();
    }
  }

  private static final class StringCodec implements Codec<String> {
    /** What {@link String#String(byte[], java.nio.charset.Charset)} puts for malformed bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    @Override
    public String name() {
      return "string";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public byte[] encode(String object) {
      rejectLoneSurrogates(object);
      return object.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
      String string = new String(bytes, StandardCharsets.UTF_8);
      if (string.indexOf(REPLACEMENT) >= 0) {
        rejectMalformed(bytes);
      }
      return string;
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

  private static final class LongCodec implements Codec<Long> {
    @Override
    public String name() {
      return "long";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public byte[] encode(Long object) {
      return ByteBuffer.allocate(Long.BYTES).putLong(object ^ Long.MIN_VALUE).array();
    }

    @Override
    public Long decode(byte[] bytes) {
      if (bytes.length != Long.BYTES) {
        throw new IllegalArgumentException("a long is encoded in 8 bytes, not in " + bytes.length);
      }
      return ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE;
    }
  }
}
