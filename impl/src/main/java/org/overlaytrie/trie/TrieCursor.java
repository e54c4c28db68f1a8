package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

import java.util.Arrays;
import java.util.Objects;

/**
 * Visits the entries of one {@link Trie} in the order of their keys, up and down. The trie cannot
 * change, so neither can what the cursor visits. It stands on an entry, or before the first, or
 * after the last; a new one stands before the first.
 *
 * <p>A move goes from branch to branch no more often than twice the length of a key, and visiting
 * all entries takes time proportional to the trie's size. To be used by one thread at a time.
 */
public final class TrieCursor {
  /** The position in a branch that stands for its own entry, before those of its children. */
  private static final int OWN_ENTRY = -1;

  private final Node root;

  /**
   * The way to the current entry, whose lowest position is that of the leaf, or {@link #OWN_ENTRY}.
   * Empty if there is no current entry, or if the root is the leaf.
   */
  private final Path path = new Path();

  /** The key bytes of that way, with the lowest branch's prefix. */
  private final KeyBuffer way = new KeyBuffer();

  /** What holds the current entry: the lowest branch or a leaf. Null if there is none. */
  private Node current;

  /** Without a current entry: whether the cursor is after the last one. */
  private boolean afterLast;

  TrieCursor(Node root) {
    this.root = root;
  }

  /**
   * Moves to the next entry, from before the first to the first. False if there is none: then the
   * cursor is, or stays, after the last.
   */
  public boolean next() {
    if (current != null) {
      return stopAtFirstOf(nextChild());
    }
    return stopAtFirstOf(afterLast ? null : root);
  }

  /**
   * Moves to the previous entry, from after the last to the last. False if there is none: then the
   * cursor is, or stays, before the first.
   */
  public boolean previous() {
    if (current == null) {
      return stopAtLastOf(afterLast ? root : null);
    }
    while (!path.isEmpty()) {
      Branch branch = path.branch();
      if (path.position() != OWN_ENTRY) {
        int position = branch.previousPosition(path.position() - 1);
        if (position >= 0) {
          path.turnTo(position);
          return stopAtLastOf(branch.childAt(position));
        }
        if (branch.value() != null) {
          path.turnTo(OWN_ENTRY);
          current = branch;
          return true;
        }
      }
      leave();
    }
    return stopAtLastOf(null);
  }

  /** Moves to the first entry; false if the trie is empty. */
  public boolean seekFirst() {
    reset();
    return stopAtFirstOf(root);
  }

  /** Moves to the last entry; false if the trie is empty. */
  public boolean seekLast() {
    reset();
    return stopAtLastOf(root);
  }

  /**
   * Moves to the first entry whose key is {@code key} or greater. False if there is none: then the
   * cursor is after the last.
   */
  public boolean seek(byte[] key) {
    Objects.requireNonNull(key, "key");
    reset();
    Node node = root;
    int offset = 0;
    while (node != null) {
      Side side = Side.of(key, offset, node);
      if (side != Side.WITHIN) {
        return stopAtFirstOf(side == Side.BEFORE ? node : nextChild());
      }
      Branch branch = (Branch) node;
      offset += branch.fragmentLength();
      int label = label(key[offset++]);
      int position = branch.ceilingPosition(label);
      if (position == branch.endPosition() || branch.labelAt(position) != label) {
        enter(branch, position - 1);
        return stopAtFirstOf(nextChild());
      }
      enter(branch, position);
      node = branch.childAt(position);
    }
    return stopAtFirstOf(null);
  }

  /**
   * Moves to the last entry whose key is less than {@code key}. False if there is none: then the
   * cursor is before the first.
   */
  public boolean seekBefore(byte[] key) {
    seek(key);
    return previous();
  }

  /**
   * Moves to the entry that has {@code rank} entries before it. False if there is none, because
   * there are not so many: then the cursor is after the last.
   *
   * @throws IllegalArgumentException if {@code rank} is negative
   */
  public boolean seekRank(long rank) {
    if (rank < 0) {
      throw new IllegalArgumentException("a rank is not negative, as " + rank + " is");
    }
    reset();
    if (root == null || rank >= root.size()) {
      return stopAtFirstOf(null);
    }
    Node node = root;
    long left = rank;
    while (node instanceof Branch branch && left > 0) {
      left -= branch.value() == null ? 0 : 1;
      int position = branch.nextPosition(0);
      while (left >= branch.slot(position).size()) {
        left -= branch.slot(position).size();
        position = branch.nextPosition(position + 1);
      }
      enter(branch, position);
      node = branch.childAt(position);
    }
    return stopAtFirstOf(node);
  }

  /**
   * The current entry's key, a fresh array.
   *
   * @throws IllegalStateException before the first entry and after the last
   */
  public byte[] key() {
    return key(Arrays::copyOfRange);
  }

  /** What {@code reader} makes of the current entry's key; errors as for the key. */
  public <T> T key(ByteReader<T> reader) {
    if (!(current() instanceof Leaf leaf)) {
      return way.read(reader);
    }
    int length = way.length();
    if (!path.isEmpty()) {
      way.add(path.label());
    }
    way.add(leaf.bytes, 0, leaf.fragmentLength());
    try {
      return way.read(reader);
    } finally {
      way.cutTo(length);
    }
  }

  /**
   * The current entry's value; maybe shared, not to be changed.
   *
   * @throws IllegalStateException before the first entry and after the last
   */
  public byte[] value() {
    return current().value();
  }

  /** What {@code reader} makes of the current entry's value; errors as for the value. */
  public <T> T value(ByteReader<T> reader) {
    return current().value(reader);
  }

  private Node current() {
    if (current == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return current;
  }

  private void reset() {
    while (!path.isEmpty()) {
      path.pop();
    }
    way.cutTo(0);
    current = null;
  }

  /** Goes down to the first entry of {@code top}, to which the path leads; null is the end. */
  private boolean stopAtFirstOf(Node top) {
    Node node = top;
    while (node instanceof Branch branch) {
      enter(branch, OWN_ENTRY);
      if (branch.value() != null) {
        break;
      }
      node = nextChild();
    }
    current = node;
    afterLast = node == null;
    return node != null;
  }

  /** Goes down to the last entry of {@code top}, which is a leaf; null is the beginning. */
  private boolean stopAtLastOf(Node top) {
    Node node = top;
    while (node instanceof Branch branch) {
      int position = branch.previousPosition(branch.endPosition() - 1);
      enter(branch, position);
      node = branch.childAt(position);
    }
    current = node;
    afterLast = false;
    return node != null;
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
      leave();
    }
    return null;
  }

  private void enter(Branch branch, int position) {
    if (!path.isEmpty()) {
      way.add(path.label());
    }
    way.add(branch.bytes, 0, branch.fragmentLength());
    path.push(branch, position);
  }

  private void leave() {
    Branch branch = path.branch();
    path.pop();
    int label = path.isEmpty() ? 0 : 1; // a node has a label in its parent, the root has none
    way.cutTo(way.length() - branch.fragmentLength() - label);
  }
}
