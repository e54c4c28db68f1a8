package org.overlaytrie.trie;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Visits, in the order of the keys, the entries in which two tries differ: those that only one of
 * them has, and those whose values are not the same bytes.
 *
 * <p>Both tries are walked side by side. A subtree that both share is not entered, nor loaded if it
 * is on disk, and versions of a map share all but what was changed between them; so this takes time
 * proportional to the number of changed nodes (with a factor of at most 256 for the width of
 * branches), not to the size of the tries. Two tries that were built apart share nothing and are
 * compared as a whole. Nothing recurses. To be used by one thread.
 *
 * <pre>
 *        before          after
 *          o               o'
 *        / | \\           / | \\
 *       A  B  c          A  B  d      A and B are the same nodes: skipped
 * </pre>
 */
public final class TrieDiff {
  /** Where the same key bytes lead in both, and the least label that has not been looked at. */
  private static final class Pair {
    final Place before;
    final Place after;
    final int keyLength;
    int nextLabel;

    Pair(Place before, Place after, int keyLength) {
      this.before = before;
      this.after = after;
      this.keyLength = keyLength;
    }

    /** The next label that leads on in either; negative if there is none. */
    int takeLabel() {
      int left = before.labelFrom(nextLabel);
      int right = after.labelFrom(nextLabel);
      int label = left < 0 || right < 0 ? Math.max(left, right) : Math.min(left, right);
      nextLabel = label + 1;
      return label;
    }
  }

  private final Deque<Pair> way = new ArrayDeque<>();
  private final KeyBuffer key = new KeyBuffer();
  private byte[] before;
  private byte[] after;
  private boolean onChange;
  private long visited;

  /** The roots until the walk begins, then null: the way holds all that is still needed. */
  private Place beforeRoot;

  private Place afterRoot;

  /** Whether both tries are of the same store, so that the same address means the same node. */
  private final boolean sameStore;

  TrieDiff(Node beforeRoot, Node afterRoot, boolean sameStore) {
    this.sameStore = sameStore;
    this.beforeRoot = Place.of(beforeRoot);
    this.afterRoot = Place.of(afterRoot);
  }

  /** Goes on to the next difference; false if there is none. */
  public boolean next() {
    onChange = beforeRoot != null && !isSame(beforeRoot, afterRoot) && enter(beforeRoot, afterRoot);
    beforeRoot = null;
    afterRoot = null;
    while (!onChange && !way.isEmpty()) {
      Pair pair = way.peek();
      int label = pair.takeLabel();
      if (label < 0) {
        way.pop();
      } else if (!isSame(pair.before.slotBelow(label), pair.after.slotBelow(label))) {
        key.cutTo(pair.keyLength);
        key.add(label);
        onChange = enter(pair.before.below(label), pair.after.below(label));
      }
    }
    return onChange;
  }

  /**
   * The key of the current difference, a fresh array.
   *
   * @throws IllegalStateException before the first and after the last
   */
  public byte[] key() {
    requireChange();
    return key.toBytes();
  }

  /** The length of that key; errors as for the key. */
  public int keyLength() {
    requireChange();
    return key.length();
  }

  /** What the key holds in the first trie, null if nothing; shared, errors as for the key. */
  public byte[] before() {
    requireChange();
    return before;
  }

  /** What the key holds in the second trie, null if nothing; shared, errors as for the key. */
  public byte[] after() {
    requireChange();
    return after;
  }

  /** How many pairs of nodes were looked at, for tests of the cost. */
  long visited() {
    return visited;
  }

  private void requireChange() {
    if (!onChange) {
      throw new IllegalStateException("not on a difference");
    }
  }

  private boolean isSame(Place left, Place right) {
    return sameStore ? left.isSame(right) : left.equals(right);
  }

  /** Goes ahead as far as both have the same bytes; true if the values that end there differ. */
  private boolean enter(Place left, Place right) {
    visited++;
    Place either = left.isNowhere() ? right : left;
    int shared = left.isNowhere() || right.isNowhere() ? either.rest() : left.shared(right);
    key.add(either.node().bytes, either.offset(), shared);
    Pair pair = new Pair(left.ahead(shared), right.ahead(shared), key.length());
    way.push(pair);
    before = pair.before.value();
    after = pair.after.value();
    return !Arrays.equals(before, after);
  }
}
