package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.join;

import java.util.Arrays;

/**
 * Visits the entries of one {@link Trie} in ascending order of keys. The trie cannot change, so
 * neither can what the cursor visits. Visiting all entries takes time proportional to the trie's
 * size. To be used by one thread at a time.
 */
public final class TrieCursor {
  private static final int INITIAL_CAPACITY = 32;

  /** The way to the lowest branch whose children are being visited. */
  private final Path path = new Path();

  /** The key bytes of that way, with the lowest branch's prefix, in the first {@code length}. */
  private byte[] way = new byte[INITIAL_CAPACITY];

  private int length;

  /** The root until the first step; null from then on. */
  private Node unvisitedRoot;

  /**
   * What holds the current entry: the lowest branch, or a leaf at the position taken in it. Null
   * before the first entry and after the last.
   */
  private Node current;

  TrieCursor(Node root) {
    unvisitedRoot = root;
  }

  /** Moves to the next entry; false, now and from then on, when there is none. */
  public boolean next() {
    Node node = unvisitedRoot == null ? nextChild() : unvisitedRoot;
    unvisitedRoot = null;
    while (node instanceof Branch branch) {
      enter(branch);
      if (branch.value != null) {
        break;
      }
      node = nextChild();
    }
    current = node;
    return node != null;
  }

  /**
   * The current entry's key, a fresh array.
   *
   * @throws IllegalStateException before the first entry and after the last
   */
  public byte[] key() {
    if (!(current() instanceof Leaf leaf)) {
      return Arrays.copyOf(way, length);
    }
    return path.isEmpty() ? leaf.suffix.clone() : join(way, length, path.label(), leaf.suffix);
  }

  /**
   * The current entry's value; shared, not to be changed.
   *
   * @throws IllegalStateException before the first entry and after the last
   */
  public byte[] value() {
    return current().value();
  }

  private Node current() {
    if (current == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return current;
  }

  /**
   * Leaves the branches that have no further child and takes the next one of the first that has.
   */
  private Node nextChild() {
    while (!path.isEmpty()) {
      Branch branch = path.branch();
      int position = branch.nextPosition(path.position() + 1);
      if (position >= 0) {
        path.turnTo(position);
        return branch.childAt(position);
      }
      path.pop();
      length -= branch.prefix.length + labelLength();
    }
    return null;
  }

  private void enter(Branch branch) {
    byte[] prefix = branch.prefix;
    int newLength = length + labelLength() + prefix.length;
    if (newLength > way.length) {
      way = Arrays.copyOf(way, Math.max(newLength, 2 * way.length));
    }
    if (!path.isEmpty()) {
      way[length] = (byte) path.label();
    }
    System.arraycopy(prefix, 0, way, newLength - prefix.length, prefix.length);
    length = newLength;
    path.push(branch, -1);
  }

  /** A node has a label in its parent; the root has no parent. */
  private int labelLength() {
    return path.isEmpty() ? 0 : 1;
  }
}
