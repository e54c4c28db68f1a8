package org.overlaytrie;

import java.util.Comparator;
import java.util.Objects;
import org.overlaytrie.trie.ByteReader;
import org.overlaytrie.wal.LogRecord;

/** The two codecs of a map, with the limits that the log sets. */
final class Encoding<K, V> {
  private final Codec<K> keys;
  private final Codec<V> values;

  /** Decodes keys. */
  final ByteReader<K> keyReader;

  /** Decodes values. */
  final ByteReader<V> valueReader;

  Encoding(Codec<K> keys, Codec<V> values) {
    this.keys = keys;
    this.values = values;
    this.keyReader =
        (bytes, from, to) -> requireResult(keys.decode(bytes, from, to), keys, "decoded a key");
    this.valueReader =
        (bytes, from, to) ->
            requireResult(values.decode(bytes, from, to), values, "decoded a value");
  }

  /** The order of the keys, as {@link Codec#comparator} tells it. */
  Comparator<? super K> keyOrder() {
    return keys.comparator();
  }

  /**
   * The encoded {@code key}.
   *
   * @throws IllegalArgumentException if it has no encoding, or one that is too long
   * @throws NullPointerException if it is null
   * @throws ClassCastException if the codec takes objects of another type
   */
  @SuppressWarnings(
      "unchecked") // as in every Map: a wrong type shows in the codec as ClassCastException
  byte[] encodeKey(Object key) {
    byte[] bytes = keys.encode((K) Objects.requireNonNull(key, "key"));
    requireResult(bytes, keys, "encoded a key");
    return requireAtMost(LogRecord.MAX_KEY_BYTES, bytes, "key");
  }

  /** The encoded {@code value}, which errors call {@code name}; errors as for keys. */
  @SuppressWarnings("unchecked") // as in encodeKey
  byte[] encodeValue(Object value, String name) {
    byte[] bytes = values.encode((V) Objects.requireNonNull(value, name));
    requireResult(bytes, values, "encoded a value");
    return requireAtMost(LogRecord.MAX_VALUE_BYTES, bytes, name);
  }

  /**
   * Throws if {@code other} need not mean the same by the same bytes: its codecs have other names
   * or versions.
   */
  void requireSame(Encoding<?, ?> other) {
    if (!toString().equals(other.toString())) {
      throw new IllegalArgumentException(
          "the snapshot has " + other + ", and this store has " + this);
    }
  }

  @Override
  public String toString() {
    return "keys of " + describe(keys) + " and values of " + describe(values);
  }

  private static String describe(Codec<?> codec) {
    return "codec '" + codec.name() + "' version " + codec.version();
  }

  K decodeKey(byte[] bytes) {
    return keyReader.read(bytes, 0, bytes.length);
  }

  /** The value; null for null. */
  V decodeValue(byte[] bytes) {
    return bytes == null ? null : valueReader.read(bytes, 0, bytes.length);
  }

  /** Returns {@code result}, which null is not: a fault of the codec, not of the caller. */
  static <T> T requireResult(T result, Codec<?> codec, String did) {
    if (result == null) {
      throw new NullPointerException("the codec " + codec.name() + " " + did + " as null");
    }
    return result;
  }

  private static byte[] requireAtMost(int limit, byte[] bytes, String name) {
    if (bytes.length > limit) {
      throw new IllegalArgumentException(
          "the encoded "
              + name
              + " has "
              + bytes.length
              + " bytes; at most "
              + limit
              + " are allowed");
    }
    return bytes;
  }
}
