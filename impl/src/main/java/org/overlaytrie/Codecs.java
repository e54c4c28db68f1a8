package org.overlaytrie;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * The codecs that come with the store. Each can be used for keys and for values, by any number of
 * threads, and rejects {@code null} with a {@link NullPointerException}. As keys, objects are in
 * the order that each codec states; {@link Codec#comparator} tells it too.
 */
public final class Codecs {
  private static final Codec<byte[]> BYTES =
      new FunctionCodec<>("bytes", 1, byte[]::clone, byte[]::clone, Arrays::compareUnsigned);

  private static final Codec<Integer> INT =
      new FixedWidthCodec<>(
          "int",
          Integer.BYTES,
          (buffer, number) -> buffer.putInt(number ^ Integer.MIN_VALUE),
          buffer -> buffer.getInt() ^ Integer.MIN_VALUE,
          null);

  private static final Codec<Integer> UNSIGNED_INT =
      new FixedWidthCodec<>(
          "unsigned-int",
          Integer.BYTES,
          ByteBuffer::putInt,
          ByteBuffer::getInt,
          Integer::compareUnsigned);

  private static final Codec<Long> LONG =
      new FixedWidthCodec<>(
          "long",
          Long.BYTES,
          (buffer, number) -> buffer.putLong(number ^ Long.MIN_VALUE),
          buffer -> buffer.getLong() ^ Long.MIN_VALUE,
          null);

  private static final Codec<Long> UNSIGNED_LONG =
      new FixedWidthCodec<>(
          "unsigned-long",
          Long.BYTES,
          ByteBuffer::putLong,
          ByteBuffer::getLong,
          Long::compareUnsigned);

  private static final Codec<Double> DOUBLE =
      new FixedWidthCodec<>(
          "double",
          Double.BYTES,
          (buffer, number) -> buffer.putLong(ordered(Double.doubleToLongBits(number))),
          buffer -> Double.longBitsToDouble(unordered(buffer.getLong())),
          null);

  private static final Codec<UUID> UUIDS =
      new FixedWidthCodec<>(
          "uuid",
          2 * Long.BYTES,
          (buffer, uuid) ->
              buffer.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits()),
          buffer -> new UUID(buffer.getLong(), buffer.getLong()),
          Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
              .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned));

  private static final Codec<Instant> INSTANT =
      new FixedWidthCodec<>(
          "instant",
          Long.BYTES + Integer.BYTES,
          (buffer, instant) ->
              buffer.putLong(instant.getEpochSecond() ^ Long.MIN_VALUE).putInt(instant.getNano()),
          buffer -> instant(buffer.getLong() ^ Long.MIN_VALUE, buffer.getInt()),
          null);

  private static final Codec<int[]> INT_ARRAY =
      new FunctionCodec<>("int-array", 1, Codecs::encodeInts, Codecs::decodeInts, Arrays::compare);

  private static final Codec<long[]> LONG_ARRAY =
      new FunctionCodec<>(
          "long-array", 1, Codecs::encodeLongs, Codecs::decodeLongs, Arrays::compare);

  private static final Codec<Boolean> UNIT =
      new FunctionCodec<>("unit", 1, Codecs::encodeUnit, Codecs::decodeUnit, null);

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
    return StringCodec.INSTANCE;
  }

  /**
   * Signed 32-bit numbers in 4 bytes, most significant first and with the sign bit flipped, under
   * the name {@code int}. As keys they are ordered as numbers.
   */
  public static Codec<Integer> ints() {
    return INT;
  }

  /**
   * Unsigned 32-bit numbers in 4 bytes, most significant first, under the name {@code
   * unsigned-int}. As keys they are ordered as {@link Integer#compareUnsigned} does, so that -1 is
   * the greatest.
   */
  public static Codec<Integer> unsignedInts() {
    return UNSIGNED_INT;
  }

  /**
   * Signed 64-bit numbers in 8 bytes, most significant first and with the sign bit flipped, under
   * the name {@code long}. As keys they are ordered as numbers.
   */
  public static Codec<Long> longs() {
    return LONG;
  }

  /**
   * Unsigned 64-bit numbers in 8 bytes, most significant first, under the name {@code
   * unsigned-long}. As keys they are ordered as {@link Long#compareUnsigned} does, so that -1 is
   * the greatest.
   */
  public static Codec<Long> unsignedLongs() {
    return UNSIGNED_LONG;
  }

  /**
   * Numbers of IEEE 754 in 8 bytes, under the name {@code double}: their bits, all of them flipped
   * if the number is negative and otherwise the sign alone. As keys they are ordered as {@link
   * Double#compareTo} does: -0.0 before 0.0, and NaN, of which there is one, after everything.
   */
  public static Codec<Double> doubles() {
    return DOUBLE;
  }

  /**
   * UUIDs in their 16 bytes, under the name {@code uuid}. As keys they are ordered by unsigned
   * comparison of these bytes, as their hexadecimal forms are (RFC 9562, so that versions 6 and 7
   * are in order of time); {@link UUID#compareTo} compares the halves as signed numbers.
   */
  public static Codec<UUID> uuids() {
    return UUIDS;
  }

  /**
   * Moments in 12 bytes, under the name {@code instant}: the seconds since 1970 as {@link #longs}
   * encodes them, and the nanoseconds in the second. As keys they are in order of time.
   */
  public static Codec<Instant> instants() {
    return INSTANT;
  }

  /**
   * Sequences of signed 32-bit numbers, each as {@link #ints} encodes it, under the name {@code
   * int-array}. As keys they are ordered by the first element in which they differ, a sequence that
   * another begins with first: all that begin with the same elements lie together.
   */
  public static Codec<int[]> intArrays() {
    return INT_ARRAY;
  }

  /**
   * Sequences of signed 64-bit numbers, each as {@link #longs} encodes it, under the name {@code
   * long-array}. As keys they are ordered by the first element in which they differ, a sequence
   * that another begins with first: all that begin with the same elements lie together.
   */
  public static Codec<long[]> longArrays() {
    return LONG_ARRAY;
  }

  /**
   * {@link Boolean#TRUE} in no bytes, and nothing else, under the name {@code unit}: the value of a
   * map whose keys are all that matters. {@link OverlayTrie#navigableKeySet(Object)
   * navigableKeySet(true)} is then a set.
   */
  public static Codec<Boolean> unit() {
    return UNIT;
  }

  /**
   * Pairs, such as {@link Map#entry} makes them, under a name that contains the names of both
   * codecs. As keys they are ordered by their first components, and by their second where the first
   * are equal: all with the same first component lie together. Pairs of pairs make longer ones.
   *
   * <p>The encoding of the first component is followed by that of the second. Unless all encodings
   * of the first have the same length, each zero byte in it becomes {@code 00 FF}, and {@code 00
   * 00} ends it.
   *
   * @throws IllegalArgumentException if the name would have more than 100 characters
   */
  public static <A, B> Codec<Map.Entry<A, B>> pair(Codec<A> first, Codec<B> second) {
    return new PairCodec<>(first, second);
  }

  /**
   * Objects of any kind, by two functions of the caller, which must do what {@link Codec#encode}
   * and {@link Codec#decode} promise. As keys they are ordered by unsigned comparison of their
   * encodings, whatever their natural order is.
   *
   * @param name 1 to 100 characters that identify the encoding, as {@link Codec#name} says
   * @param version of the encoding; a store written with another version is refused
   * @throws IllegalArgumentException if the name is another than that
   */
  public static <T> Codec<T> of(
      String name,
      int version,
      Function<? super T, byte[]> encode,
      Function<byte[], ? extends T> decode) {
    Comparator<T> order =
        (one, other) -> Arrays.compareUnsigned(encode.apply(one), encode.apply(other));
    return new FunctionCodec<>(name, version, encode, decode, order);
  }

  /** Such that the unsigned order of the results is that of the numbers. */
  private static long ordered(long bits) {
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private static long unordered(long bits) {
    return bits < 0 ? bits ^ Long.MIN_VALUE : ~bits;
  }

  private static Instant instant(long second, int nano) {
    if (nano < 0 || nano > 999_999_999) {
      throw new IllegalArgumentException(nano + " are not the nanoseconds of an instant");
    }
    try {
      return Instant.ofEpochSecond(second, nano);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("second " + second + " is beyond all instants", e);
    }
  }

  private static byte[] encodeInts(int[] numbers) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.multiplyExact(Integer.BYTES, numbers.length));
    for (int number : numbers) {
      buffer.putInt(number ^ Integer.MIN_VALUE);
    }
    return buffer.array();
  }

  private static int[] decodeInts(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int[] numbers = new int[length(bytes, Integer.BYTES)];
    Arrays.setAll(numbers, i -> buffer.getInt() ^ Integer.MIN_VALUE);
    return numbers;
  }

  private static byte[] encodeLongs(long[] numbers) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.multiplyExact(Long.BYTES, numbers.length));
    for (long number : numbers) {
      buffer.putLong(number ^ Long.MIN_VALUE);
    }
    return buffer.array();
  }

  private static long[] decodeLongs(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long[] numbers = new long[length(bytes, Long.BYTES)];
    Arrays.setAll(numbers, i -> buffer.getLong() ^ Long.MIN_VALUE);
    return numbers;
  }

  private static int length(byte[] bytes, int width) {
    if (bytes.length % width != 0) {
      throw new IllegalArgumentException(
          "elements of " + width + " bytes do not fill " + bytes.length + " bytes");
    }
    return bytes.length / width;
  }

  private static byte[] encodeUnit(Boolean unit) {
    if (!unit) {
      throw new IllegalArgumentException("the unit is true; there is no false in it");
    }
    return new byte[0];
  }

  private static Boolean decodeUnit(byte[] bytes) {
    if (bytes.length != 0) {
      throw new IllegalArgumentException("the unit is encoded in no bytes, not in " + bytes.length);
    }
    return true;
  }
}
