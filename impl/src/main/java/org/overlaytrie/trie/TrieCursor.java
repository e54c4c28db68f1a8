package org.overlaytrie.trie;

/** Placeholder of the signature; see the trie package. */
public interface TrieCursor {
  /** Moves to the next entry; false when there is none. */
  boolean next();

  /** The current entry's key, a fresh array. */
  byte[] key();

  /** The current entry's value; shared, not to be changed. */
  byte[] value();
}
