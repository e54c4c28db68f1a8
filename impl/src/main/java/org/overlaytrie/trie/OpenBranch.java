package org.overlaytrie.trie;

import java.util.Arrays;

/** What becomes a branch once all its children are known, which come in ascending order. */
final class OpenBranch {
  private static final int INITIAL_CAPACITY = 4;

  private byte[] value;
  private byte[] labels = new byte[INITIAL_CAPACITY];
  private Node[] slots = new Node[INITIAL_CAPACITY];
  private int fanOut;
  private long size;

  /** Sets the value of the entry that ends here; null for none. Once. */
  void value(byte[] ownValue) {
    value = ownValue;
    size += ownValue == null ? 0 : 1;
  }

  /** Adds a child whose label is greater than those before; null for none. */
  void add(int label, Node child) {
    if (child == null) {
      return;
    }
    if (fanOut == slots.length) {
      labels = Arrays.copyOf(labels, 2 * fanOut);
      slots = Arrays.copyOf(slots, 2 * fanOut);
    }
    labels[fanOut] = (byte) label;
    slots[fanOut++] = child;
    size += child.size();
  }

  /** Whether {@code node} has just this value, this number of children and the same children. */
  boolean isLike(Node node) {
    if (node.size() != size || !node.hasValue(value)) {
      return false;
    }
    if (!(node instanceof Branch branch)) {
      return fanOut == 0;
    }
    boolean same = branch.fanOut() == fanOut;
    for (int i = 0; same && i < fanOut; i++) {
      same = Node.isSame(branch.slotOf(Bytes.label(labels[i])), slots[i]);
    }
    return same;
  }

  /**
   * The node with a part of {@code source} as its fragment, in its one form; null if there is no
   * entry.
   */
  Node close(byte[] source, int from, int to) {
    if (fanOut == 0) {
      return value == null ? null : Leaf.of(source, from, to, value);
    }
    return Branch.of(source, from, to, value, labels, slots, fanOut, size).canonical();
  }
}
