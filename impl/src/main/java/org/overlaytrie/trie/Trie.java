package org.overlaytrie.trie;

/** Placeholder of the signature; see the trie package. */
public final class Trie {
  /** The trie without entries. */
  public static final Trie EMPTY = new Trie();

  private Trie() {}

  /** The value of {@code key}, null if absent. The array is shared and must not be changed. */
  public byte[] get(byte[] key) {
    return null;
  }

  /** A trie that also maps {@code key} to {@code value}; keeps both arrays. */
  public Trie put(byte[] key, byte[] value) {
    return null;
  }

  /** A trie without {@code key}; this very trie if the key is absent. */
  public Trie remove(byte[] key) {
    return null;
  }

  /** The number of entries; O(1). */
  public long size() {
    return 0;
  }

  /** A cursor before the first entry, in ascending order of keys. */
  public TrieCursor cursor() {
    return null;
  }
}
