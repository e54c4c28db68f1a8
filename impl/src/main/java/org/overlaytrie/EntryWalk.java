package org.overlaytrie;

import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/**
 * One pass over the entries of a trie whose ranks are from {@code low}, inclusive, to {@code high},
 * exclusive. Because it goes by ranks, it knows how many are left and splits anywhere at no cost.
 */
final class EntryWalk {
  private final Trie trie;
  private final boolean descending;
  private long low;
  private long high;

  /** On the entry visited last; null before the first and after a split. */
  private TrieCursor cursor;

  EntryWalk(Trie trie, long low, long high, boolean descending) {
    this.trie = trie;
    this.low = low;
    this.high = high;
    this.descending = descending;
  }

  /** The number of entries still to be visited. */
  long remaining() {
    return high - low;
  }

  /**
   * Visits the next entry, of which there must be one; the cursor stays there until the next call.
   */
  TrieCursor advance() {
    if (cursor == null) {
      cursor = trie.cursor();
      cursor.seekRank(descending ? high - 1 : low);
    } else if (descending) {
      cursor.previous();
    } else {
      cursor.next();
    }
    if (descending) {
      high--;
    } else {
      low++;
    }
    return cursor;
  }

  /** Hands over the first half of what is left, in the order of the visits. */
  EntryWalk splitFirstHalf() {
    long half = remaining() / 2;
    EntryWalk first;
    if (descending) {
      first = new EntryWalk(trie, high - half, high, true);
      high -= half;
    } else {
      first = new EntryWalk(trie, low, low + half, false);
      low += half;
    }
    cursor = null;
    return first;
  }
}
