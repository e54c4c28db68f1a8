package org.overlaytrie.trie;

import java.util.Arrays;

/**
 * A node of the trie. It stands for the entries whose keys begin with the way to it: the fragments
 * of the branches passed and the labels of the slots taken.
 *
 * <p>There is one form for each content, so that a trie's nodes do not depend on its history (only
 * the layout of a branch's slots does, see there). A single entry is a {@link Leaf}. A {@link
 * Branch} has at least two children, or one and a value of its own. Key bytes that all entries of a
 * node share are in its fragment and not in its children.
 *
 * <p>What a node contains never changes. The fields that say it are final, and the arrays that
 * these refer to are filled before the constructor ends. By the final-field rules of the Java
 * memory model (JLS 17.5) a thread that gets hold of a node, even through a data race, therefore
 * sees the node's arrays as they were built, or newer. The same holds for every node below, because
 * a child was complete before its parent's slots were filled. So tries may be passed between
 * threads without synchronization.
 *
 * <p>Two things about a node may change, and neither changes what it contains.
 *
 * <ul>
 *   <li>A slot of a branch that holds a {@link Stub} may come to hold the node that the stub stands
 *       for, see {@link Branch}. A thread may see the one or the other. Whichever it is, all that
 *       it is made of is behind final fields, so it is whole.
 *   <li>The {@link #address} of a branch or a large leaf, once its record is durable. A thread that
 *       still sees 0 takes the node for one without a record: it does more work and not other work.
 * </ul>
 */
abstract sealed class Node permits Leaf, Branch, Stub {
  /** Begins with the fragment; what follows it, each kind of node says. */
  final byte[] bytes;

  Node(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The number of key bytes, the fragment, that all entries share after the way to this node. */
  abstract int fragmentLength();

  /**
   * The value of the entry that ends after the fragment, null if none does; maybe a copy, not to be
   * changed.
   */
  abstract byte[] value();

  /** What {@code reader} makes of the value, of an entry that exists. */
  <T> T value(ByteReader<T> reader) {
    byte[] value = value();
    return reader.read(value, 0, value.length);
  }

  /** Whether the value is {@code value}; null for none. */
  boolean hasValue(byte[] value) {
    return Arrays.equals(value(), value);
  }

  /** The number of entries of this node; O(1). */
  abstract long size();

  /**
   * Where the record of this node lies; 0 if it has none that is durable. Nodes with the same
   * address have the same content, in one image.
   */
  long address() {
    return 0;
  }

  /**
   * The least number of a segment that the records of this subtree lie in, if it has an address.
   */
  int oldestSegment() {
    return 0;
  }

  /** Sets what these two answer. By the one thread that writes the image, or before publication. */
  void install(long newAddress, int newOldestSegment) {
    throw new AssertionError("the node has no record of its own");
  }

  /** Whether the node has, or will have, a record of its own in an image. */
  abstract boolean hasRecord();

  /** This node in memory. */
  Node loaded() {
    return this;
  }

  /**
   * Whether two nodes of tries of the same store, null for none, are known to be the same: as
   * objects or by their records. No content is compared and nothing is loaded.
   */
  static boolean isSame(Node one, Node other) {
    if (one == other) {
      return true;
    }
    if (one == null || other == null) {
      return false;
    }
    long address = one.address();
    return address != 0 && address == other.address();
  }

  /** This node with a part of {@code source} as its fragment. */
  abstract Node withFragment(byte[] source, int from, int to);

  /** This node with another value for the entry that ends after the fragment. */
  abstract Node withValue(byte[] newValue);

  /** Whether {@code key} has the fragment at {@code offset}. */
  final boolean isAt(byte[] key, int offset, int fragmentLength) {
    return fragmentLength == 0
        || (fragmentLength <= key.length - offset
            && Arrays.equals(key, offset, offset + fragmentLength, bytes, 0, fragmentLength));
  }

  /** The number of bytes from the start of the fragment that {@code key} has at an offset. */
  final int shared(byte[] key, int offset, int fragmentLength) {
    return Bytes.shared(key, offset, key.length, bytes, 0, fragmentLength);
  }
}
