package org.overlaytrie.trie;

/**
 * Makes something of a part of an array, so that the part need not be copied first.
 *
 * @param <T> what is made
 */
@FunctionalInterface
public interface ByteReader<T> {

  /** Reads the bytes from {@code from} on and before {@code to}; must not change or keep any. */
  T read(byte[] bytes, int from, int to);
}
