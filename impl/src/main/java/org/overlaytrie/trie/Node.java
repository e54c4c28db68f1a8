package org.overlaytrie.trie;

/**
 * A node of the trie. It stands for the entries whose keys begin with the way to it: the fragments
 * of the branches passed and the labels of the slots taken.
 *
 * <p>There is one form for each content, so that a trie's nodes do not depend on its history (only
 * the layout of a branch's slots does, see there). A single entry is a {@link Leaf}. A {@link
 * Branch} has at least two children, or one and a value of its own. Key bytes that all entries of a
 * node share are in its fragment and not in its children.
 *
 * <p>Nodes never change. Their fields are final, and the arrays that these refer to are filled
 * before the constructor ends and never written again. By the final-field rules of the Java memory
 * model (JLS 17.5) a thread that gets hold of a node, even through a data race, therefore sees the
 * node's arrays as they were built. The same holds for every node below, because a child was
 * complete before its parent's slots were filled. So tries may be passed between threads without
 * synchronization.
 */
abstract sealed class Node permits Leaf, Branch {

  /** The key bytes that all entries of this node share after the way to it. */
  abstract byte[] fragment();

  /** The value of the entry that ends after the fragment; null if none does. */
  abstract byte[] value();

  /** The number of entries of this node; O(1). */
  abstract long size();

  /** This node with another fragment. */
  abstract Node withFragment(byte[] newFragment);

  /** This node with another value for the entry that ends after the fragment. */
  abstract Node withValue(byte[] newValue);
}
