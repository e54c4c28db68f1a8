package org.overlaytrie;

import java.util.Arrays;
import java.util.Comparator;

/**
 * How keys or values become bytes and back. A store remembers the name and version of its two
 * codecs and refuses to be opened with others.
 *
 * <p>As a key codec it decides the map's order: entries are ordered by unsigned comparison of their
 * encoded keys. Two objects must be equal exactly if their encodings are, and {@code
 * decode(encode(x))} must equal {@code x}. Neither may be null. Implementations must be safe for
 * use by many threads. An exception thrown by a codec reaches the caller and leaves the map as it
 * was.
 *
 * @param <T> what is encoded
 */
public interface Codec<T> {

  /**
   * A name that identifies the encoding, such as {@code string}: 1 to 100 characters, and no
   * surrogate that is not part of a pair.
   */
  String name();

  /** The version of the encoding; a store written with another version is refused. */
  int version();

  /**
   * The encoding of {@code object}, in an array that the caller may keep.
   *
   * @throws IllegalArgumentException if the object has no encoding
   */
  byte[] encode(T object);

  /**
   * The object encoded by {@code bytes}, which must not be kept or changed.
   *
   * @throws IllegalArgumentException if the bytes encode no object
   */
  T decode(byte[] bytes);

  /**
   * The object encoded by the bytes from {@code from} on and before {@code to}; these and all
   * others of the array are as for {@link #decode(byte[])}. By default it decodes a copy of that
   * part; override it where the copy can be saved, which lookups and iterations then do.
   *
   * @throws IllegalArgumentException if the bytes encode no object
   */
  default T decode(byte[] bytes, int from, int to) {
    boolean all = from == 0 && to == bytes.length;
    return decode(all ? bytes : Arrays.copyOfRange(bytes, from, to));
  }

  /**
   * The order of the objects, which is that of their encodings as keys: null if it is also the
   * natural order of {@code T}. A map returns it from {@link java.util.SortedMap#comparator}; it
   * does not decide the order. By default it encodes and compares; override it where the order can
   * be told more cheaply.
   */
  default Comparator<? super T> comparator() {
    return (one, other) -> Arrays.compareUnsigned(encode(one), encode(other));
  }
}
