package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

/** Where a key lies among the entries of a node. */
enum Side {
  /** The key is less than all of them, or that of the first. */
  BEFORE,
  /**
   * The node is a branch, and the key goes on after its prefix: it is greater than that of the
   * branch's own entry, and its next byte tells where it lies among the children.
   */
  WITHIN,
  /** The key is greater than all of them. */
  AFTER;

  /**
   * Where {@code key} lies among the entries of {@code node}; its first {@code offset} bytes are
   * the way there.
   */
  static Side of(byte[] key, int offset, Node node) {
    int fragmentLength = node.fragmentLength();
    int shared = node.shared(key, offset, fragmentLength);
    if (offset + shared == key.length) {
      return BEFORE;
    }
    if (shared < fragmentLength) {
      return label(key[offset + shared]) < label(node.bytes[shared]) ? BEFORE : AFTER;
    }
    return node instanceof Branch ? WITHIN : AFTER;
  }
}
