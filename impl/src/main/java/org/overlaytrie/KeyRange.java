package org.overlaytrie;

import java.util.Arrays;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.wal.LogRecord;

/**
 * The keys of a view: those between two bounds, each of which may be missing. As the successor of
 * every key is known, every range is a half-open interval of encoded keys: {@code from} is inside
 * (the empty key, the least of all, if there is no lower bound), {@code to} is not (null if there
 * is no upper bound).
 */
final class KeyRange {
  private static final byte[] LEAST = {};

  private final Bound low;
  private final Bound high;
  private final byte[] from;
  private final byte[] to;

  private KeyRange(Bound low, Bound high) {
    this.low = low;
    this.high = high;
    this.from = low == null ? LEAST : low.from();
    // Both ends at one key and that key outside: the interval must not be inverted.
    this.to = high == null ? null : max(high.to(), from);
  }

  /** All keys. */
  static KeyRange all() {
    return new KeyRange(null, null);
  }

  /** The keys whose encoding begins with {@code prefix}, which is that of {@code key}. */
  static KeyRange withPrefix(Object key, byte[] prefix) {
    byte[] after = Trie.endOfPrefix(prefix);
    String end = "the end of the keys that begin with " + Bound.describe(key);
    return new KeyRange(
        new Bound(key, prefix, true), after == null ? null : new Bound(end, after, false));
  }

  /**
   * The part of this range above {@code newLow} and below {@code newHigh}; null leaves that end as
   * it is.
   *
   * @throws IllegalArgumentException if a new bound is beyond the old ones, or the two are inverted
   */
  KeyRange narrow(Bound newLow, Bound newHigh) {
    requireWithin(newLow);
    requireWithin(newHigh);
    if (newLow != null && newHigh != null && newLow.compareTo(newHigh.encoded()) > 0) {
      throw new IllegalArgumentException(
          "the range is inverted: from " + newLow + " to " + newHigh);
    }
    return new KeyRange(newLow == null ? low : newLow, newHigh == null ? high : newHigh);
  }

  /** A bound that leaves its own key out may be one that this range leaves out. */
  private void requireWithin(Bound bound) {
    if (bound == null || contains(bound.encoded())) {
      return;
    }
    boolean atAnEnd =
        (low == null || low.compareTo(bound.encoded()) <= 0)
            && (high == null || high.compareTo(bound.encoded()) >= 0);
    if (bound.inclusive() || !atAnEnd) {
      throw outside(bound.key());
    }
  }

  boolean contains(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /** The error of using {@code key}, which is not in this range. */
  IllegalArgumentException outside(Object key) {
    return new IllegalArgumentException(
        "the key "
            + Bound.describe(key)
            + " is outside of the view, which goes from "
            + (low == null ? "the least key" : low)
            + " to "
            + (high == null ? "the greatest key" : high));
  }

  /** Removes all entries in this range. */
  LogRecord.RemoveRange removal() {
    return new LogRecord.RemoveRange(from, to);
  }

  /** The number of entries of {@code trie} in this range. */
  long size(Trie trie) {
    return endRank(trie) - trie.rank(from);
  }

  /** The entries of {@code trie} in this range. */
  EntryWalk walk(Trie trie, boolean descending) {
    return new EntryWalk(trie, trie.rank(from), endRank(trie), descending);
  }

  private long endRank(Trie trie) {
    return to == null ? trie.size() : trie.rank(to);
  }

  /** At the first entry of {@code trie} in this range; null if there is none. */
  TrieCursor first(Trie trie) {
    return firstFrom(trie, from);
  }

  /** At the last entry of {@code trie} in this range; null if there is none. */
  TrieCursor last(Trie trie) {
    return to == null ? lastOf(trie) : lastBefore(trie, to);
  }

  /** At the first entry in this range whose key is {@code key} or greater; null if none. */
  TrieCursor firstFrom(Trie trie, byte[] key) {
    TrieCursor cursor = trie.cursor();
    return cursor.seek(max(key, from)) && contains(cursor.key()) ? cursor : null;
  }

  /** At the last entry in this range whose key is less than {@code key}; null if none. */
  TrieCursor lastBefore(Trie trie, byte[] key) {
    TrieCursor cursor = trie.cursor();
    byte[] end = to != null && Arrays.compareUnsigned(to, key) < 0 ? to : key;
    return cursor.seekBefore(end) && contains(cursor.key()) ? cursor : null;
  }

  private TrieCursor lastOf(Trie trie) {
    TrieCursor cursor = trie.cursor();
    return cursor.seekLast() && contains(cursor.key()) ? cursor : null;
  }

  private static byte[] max(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }
}
