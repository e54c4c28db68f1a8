package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

/**
 * Where some key bytes lead to in a trie: {@code offset} bytes into the fragment of {@code node}.
 * Seen from place to place, byte by byte, a trie has no fragments: within one there is a single way
 * on, at its end there is one for each child, and one entry may end there. So two tries can be
 * walked side by side whose fragments do not match.
 *
 * @param node null {@link #NOWHERE}
 */
record Place(Node node, int offset) {
  /** Where no key leads. */
  static final Place NOWHERE = new Place(null, 0);

  /** The place before the first byte of {@code node}, which may be null. */
  static Place of(Node node) {
    return node == null ? NOWHERE : new Place(node, 0);
  }

  boolean isNowhere() {
    return node == null;
  }

  /**
   * Whether the same entries follow because it is the same node, in tries of the same store; no
   * content is compared.
   */
  boolean isSame(Place other) {
    return offset == other.offset && Node.isSame(node, other.node);
  }

  /** The value of the entry that ends here, null if none does. */
  byte[] value() {
    return node != null && offset == node.fragmentLength() ? node.value() : null;
  }

  /** The least label, from {@code least} on, that leads on from here; negative if none does. */
  int labelFrom(int least) {
    if (node == null) {
      return -1;
    }
    if (offset < node.fragmentLength()) {
      int only = label(node.bytes[offset]);
      return only < least ? -1 : only;
    }
    if (!(node instanceof Branch branch)) {
      return -1;
    }
    int position = branch.ceilingPosition(least);
    return position == branch.endPosition() ? -1 : branch.labelAt(position);
  }

  /** The place that {@code label} leads to, in memory. */
  Place below(int label) {
    return node instanceof Branch branch && offset == branch.fragmentLength()
        ? of(branch.child(label))
        : slotBelow(label);
  }

  /**
   * The same, but nothing is loaded: its node may be a stub, so that only where it is, whether it
   * is the same as another and its {@link #subtree} can be asked.
   */
  Place slotBelow(int label) {
    if (node == null) {
      return this;
    }
    if (offset < node.fragmentLength()) {
      return label(node.bytes[offset]) == label ? new Place(node, offset + 1) : NOWHERE;
    }
    return node instanceof Branch branch ? of(branch.slotOf(label)) : NOWHERE;
  }

  /** The place {@code bytes} further in the same fragment. */
  Place ahead(int bytes) {
    return node == null || bytes == 0 ? this : new Place(node, offset + bytes);
  }

  /** How many of the bytes ahead in this fragment are also ahead in the other's. */
  int shared(Place other) {
    return Bytes.shared(
        node.bytes,
        offset,
        node.fragmentLength(),
        other.node.bytes,
        other.offset,
        other.node.fragmentLength());
  }

  /** How many bytes of the fragment are ahead. */
  int rest() {
    return node.fragmentLength() - offset;
  }

  /** The entries from here on as a node of their own; null {@link #NOWHERE}. */
  Node subtree() {
    return offset == 0 ? node : node.withFragment(node.bytes, offset, node.fragmentLength());
  }
}
