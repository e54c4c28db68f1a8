package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.hasAt;
import static org.overlaytrie.trie.Bytes.head;
import static org.overlaytrie.trie.Bytes.isRest;
import static org.overlaytrie.trie.Bytes.join;
import static org.overlaytrie.trie.Bytes.label;
import static org.overlaytrie.trie.Bytes.shared;
import static org.overlaytrie.trie.Bytes.tail;

import java.util.Objects;

/**
 * An immutable map from byte strings to byte strings, ordered by unsigned comparison of its keys.
 * Every byte string is a legal key: the empty one, one that another key begins with, one of any
 * length.
 *
 * <p>A change answers a new trie and leaves this one as it was; the two share all nodes but those
 * on the way to the changed entry. With k the length of the key, {@link #get} is O(k); a change is
 * O(k) and copies at most k + 1 branches of at most 256 slots. Nothing recurses, so a long key
 * needs no deep stack.
 *
 * <p>Keys and values are not copied on the way in, nor values on the way out: whoever passes or
 * gets an array must not change it from then on. Under this condition any number of threads may use
 * a trie without synchronization, however they got hold of it: its only field is final, and {@link
 * Node} says why the rest is safe.
 */
public final class Trie {
  /** The trie without entries. */
  public static final Trie EMPTY = new Trie(null);

  /** Null in the trie without entries, and only there. */
  private final Node root;

  private Trie(Node root) {
    this.root = root;
  }

  Node root() {
    return root;
  }

  /** The number of entries; O(1). */
  public long size() {
    return root == null ? 0 : root.size();
  }

  /** The value of {@code key}, null if absent. The array is shared and must not be changed. */
  public byte[] get(byte[] key) {
    Objects.requireNonNull(key, "key");
    Node node = root;
    int offset = 0;
    while (node instanceof Branch branch) {
      if (!hasAt(key, offset, branch.prefix)) {
        return null;
      }
      offset += branch.prefix.length;
      if (offset == key.length) {
        return branch.value;
      }
      node = branch.child(label(key[offset++]));
    }
    return node instanceof Leaf leaf && isRest(key, offset, leaf.suffix) ? leaf.value : null;
  }

  /** A trie that also maps {@code key} to {@code value}; keeps both arrays. */
  public Trie put(byte[] key, byte[] value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    if (root == null) {
      return new Trie(new Leaf(key, value));
    }
    Path path = new Path();
    Node node = root;
    int offset = 0;
    while (true) {
      byte[] fragment = node.fragment();
      int shared = shared(key, offset, fragment);
      offset += shared;
      if (shared < fragment.length) {
        return new Trie(path.copyTo(fork(node, shared, key, offset, value)));
      }
      if (offset == key.length) {
        return new Trie(path.copyTo(node.withValue(value)));
      }
      int label = label(key[offset++]);
      if (node instanceof Leaf leaf) {
        Leaf longer = new Leaf(tail(key, offset), value);
        return new Trie(path.copyTo(Branch.of(leaf.suffix, leaf.value, label, longer)));
      }
      Branch branch = (Branch) node;
      int position = branch.position(label);
      if (position < 0) {
        Leaf added = new Leaf(tail(key, offset), value);
        return new Trie(path.copyTo(branch.withChild(label, added)));
      }
      path.push(branch, position);
      node = branch.childAt(position);
    }
  }

  /** A trie without {@code key}; this very trie if the key is absent. */
  public Trie remove(byte[] key) {
    Objects.requireNonNull(key, "key");
    Path path = new Path();
    Node node = root;
    int offset = 0;
    while (node instanceof Branch branch) {
      if (!hasAt(key, offset, branch.prefix)) {
        return this;
      }
      offset += branch.prefix.length;
      if (offset == key.length) {
        return branch.value == null
            ? this
            : new Trie(path.copyTo(canonical(branch.withValue(null))));
      }
      int position = branch.position(label(key[offset++]));
      if (position < 0) {
        return this;
      }
      path.push(branch, position);
      node = branch.childAt(position);
    }
    if (!(node instanceof Leaf leaf && isRest(key, offset, leaf.suffix))) {
      return this;
    }
    if (path.isEmpty()) {
      return EMPTY;
    }
    Branch shrunk = path.branch().withoutChildAt(path.position());
    path.pop();
    return new Trie(path.copyTo(canonical(shrunk)));
  }

  /** A cursor before the first entry, in ascending order of keys. */
  public TrieCursor cursor() {
    return new TrieCursor(root);
  }

  /**
   * The branch where {@code key} leaves {@code node} after {@code shared} bytes of its fragment,
   * which is at {@code offset} of the key.
   */
  private static Branch fork(Node node, int shared, byte[] key, int offset, byte[] value) {
    byte[] fragment = node.fragment();
    byte[] prefix = head(fragment, shared);
    int label = label(fragment[shared]);
    Node rest = node.withFragment(tail(fragment, shared + 1));
    return offset == key.length
        ? Branch.of(prefix, value, label, rest)
        : Branch.of(
            prefix, label, rest, label(key[offset]), new Leaf(tail(key, offset + 1), value));
  }

  /** The one form of what is left of a branch that lost a child or its value. */
  private static Node canonical(Branch branch) {
    if (branch.fanOut() == 0) {
      return new Leaf(branch.prefix, branch.value);
    }
    if (branch.fanOut() > 1 || branch.value != null) {
      return branch;
    }
    int position = branch.nextPosition(0);
    Node child = branch.childAt(position);
    byte[] prefix = branch.prefix;
    return child.withFragment(
        join(prefix, prefix.length, branch.labelAt(position), child.fragment()));
  }
}
