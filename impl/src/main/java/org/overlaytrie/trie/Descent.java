package org.overlaytrie.trie;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Walks the edges of one {@link Trie}, a key byte at a time, as an automaton does that reads the
 * trie; {@link TrieCursor} walks its entries. It stands where some bytes, the way, lead: all
 * entries from there on have keys that begin with the way. It begins at the empty way. Where all
 * keys go on alike there is one edge for each byte, although the trie keeps these bytes together.
 *
 * <p>A step is O(1), or a search among at most 64 labels, and going up takes back a step. The trie
 * cannot change, so neither can what the descent sees. To be used by one thread at a time.
 */
public final class Descent {
  private final Trie trie;
  private final Deque<Place> above = new ArrayDeque<>();
  private final KeyBuffer way = new KeyBuffer();
  private Place here;

  Descent(Trie trie) {
    this.trie = trie;
    this.here = Place.of(trie.root());
  }

  /** The trie that is walked. */
  public Trie trie() {
    return trie;
  }

  /** Goes down by one byte, 0 to 255. False if no key goes on with it: then nothing has changed. */
  public boolean descend(int label) {
    Place next = here.below(label);
    if (next.isNowhere()) {
      return false;
    }
    above.push(here);
    way.add(label);
    here = next;
    return true;
  }

  /** Takes back the last step down; false if there is none. */
  public boolean up() {
    if (above.isEmpty()) {
      return false;
    }
    here = above.pop();
    way.cutTo(way.length() - 1);
    return true;
  }

  /** The least label, from {@code least} on, that leads down from here; negative if none does. */
  public int labelFrom(int least) {
    return here.labelFrom(least);
  }

  /** The value of the entry whose key is the way; null if there is none. Shared. */
  public byte[] value() {
    return here.value();
  }

  /** The way, a fresh array. */
  public byte[] way() {
    return way.toBytes();
  }

  /** The number of bytes of the way. */
  public int depth() {
    return way.length();
  }

  /** The number of entries whose keys begin with the way; O(1). */
  public long size() {
    return here.isNowhere() ? 0 : here.node().size();
  }
}
