package org.overlaytrie.trie;

/**
 * What must be known of a trie that was written, to read it again.
 *
 * @param address where the record of its root lies; 0 for the trie without entries
 * @param oldestSegment the least number of a segment in which any of its records lies; 0 for none
 * @param size the number of entries
 */
public record Root(long address, int oldestSegment, long size) {
  /** The root of the trie without entries. */
  public static final Root EMPTY = new Root(0, 0, 0);

  /** Refuses what cannot be a root, and would read as a trie without entries. */
  public Root {
    if (size < 0 || (address == 0) != (size == 0)) {
      throw new IllegalArgumentException("no trie has address " + address + " and size " + size);
    }
  }
}
