package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.BinaryOperator;

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
 * <p>Large values are not copied, neither in nor out: whoever passes or gets an array must not
 * change it from then on. Under this condition any number of threads may use a trie without
 * synchronization, however they got hold of it: its only field is final, and {@link Node} says why
 * the rest is safe.
 *
 * <p>Nodes may live on disk until they are needed, see {@link #stored}. Tries that are compared or
 * merged must be of one store, or one of them {@link #detached}.
 */
public final class Trie {
  /** The trie without entries. */
  public static final Trie EMPTY = new Trie(null);

  /** Null in the trie without entries, and only there. */
  private final Node root;

  private Trie(Node root) {
    this.root = root;
  }

  /** The trie with the entries of {@code root}; {@link #EMPTY} for null. */
  static Trie of(Node root) {
    return root == null ? EMPTY : new Trie(root);
  }

  Node root() {
    return root;
  }

  /** The number of entries; O(1). */
  public long size() {
    return root == null ? 0 : root.size();
  }

  /** The value of {@code key}, null if absent. Maybe shared; it must not be changed. */
  public byte[] get(byte[] key) {
    Objects.requireNonNull(key, "key");
    Node node = root;
    int offset = 0;
    while (node instanceof Branch branch) {
      int prefixLength = branch.fragmentLength();
      if (!branch.isAt(key, offset, prefixLength)) {
        return null;
      }
      offset += prefixLength;
      if (offset == key.length) {
        return branch.value();
      }
      node = branch.child(label(key[offset++]));
    }
    return node instanceof Leaf leaf && leaf.isRest(key, offset) ? leaf.value() : null;
  }

  /** A trie that also maps {@code key} to {@code value}; may keep the value's array. */
  public Trie put(byte[] key, byte[] value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    if (root == null) {
      return new Trie(Leaf.of(key, 0, key.length, value));
    }
    Path path = new Path();
    Node node = root;
    int offset = 0;
    while (true) {
      int fragmentLength = node.fragmentLength();
      int shared = node.shared(key, offset, fragmentLength);
      offset += shared;
      if (shared < fragmentLength) {
        return new Trie(path.copyTo(fork(node, shared, key, offset, value)));
      }
      if (offset == key.length) {
        return new Trie(path.copyTo(node.withValue(value)));
      }
      int label = label(key[offset++]);
      if (node instanceof Leaf leaf) {
        Leaf longer = Leaf.of(key, offset, key.length, value);
        return new Trie(
            path.copyTo(Branch.of(leaf.bytes, fragmentLength, leaf.value(), label, longer)));
      }
      Branch branch = (Branch) node;
      int position = branch.position(label);
      if (position < 0) {
        Leaf added = Leaf.of(key, offset, key.length, value);
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
      int prefixLength = branch.fragmentLength();
      if (!branch.isAt(key, offset, prefixLength)) {
        return this;
      }
      offset += prefixLength;
      if (offset == key.length) {
        return branch.value() == null
            ? this
            : new Trie(path.copyTo(branch.withValue(null).canonical()));
      }
      int position = branch.position(label(key[offset++]));
      if (position < 0) {
        return this;
      }
      path.push(branch, position);
      node = branch.childAt(position);
    }
    if (!(node instanceof Leaf leaf && leaf.isRest(key, offset))) {
      return this;
    }
    if (path.isEmpty()) {
      return EMPTY;
    }
    Branch shrunk = path.branch().withoutChildAt(path.position());
    path.pop();
    return new Trie(path.copyTo(shrunk.canonical()));
  }

  /**
   * A trie without the entries whose keys are {@code from} or greater and less than {@code to}, or
   * without all from {@code from} on if {@code to} is null; this very trie if there are none. The
   * empty key is the least of all. With k the length of the bounds O(k), however many entries go.
   */
  public Trie removeRange(byte[] from, byte[] to) {
    Objects.requireNonNull(from, "from");
    Node rest = root == null ? null : RangeRemoval.remove(root, from, to);
    return with(rest);
  }

  /**
   * The end of the range of all keys that begin with {@code prefix}: the least key that is greater
   * than all of them; null if there is none, because the prefix is empty or nothing but 0xFF.
   */
  public static byte[] endOfPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] end = Arrays.copyOf(prefix, length);
    end[length - 1]++;
    return end;
  }

  /**
   * The number of entries whose keys are less than {@code key}, which need not be present. With k
   * the length of the key it looks at no more than k branches and all their slots.
   */
  public long rank(byte[] key) {
    Objects.requireNonNull(key, "key");
    long rank = 0;
    Node node = root;
    int offset = 0;
    while (node != null) {
      Side side = Side.of(key, offset, node);
      if (side != Side.WITHIN) {
        return side == Side.AFTER ? rank + node.size() : rank;
      }
      Branch branch = (Branch) node;
      offset += branch.fragmentLength();
      int label = label(key[offset++]);
      rank += branch.sizeBefore(branch.ceilingPosition(label));
      node = branch.child(label);
    }
    return rank;
  }

  /**
   * A trie with the entries of both. Where both have a key and the values are not the same bytes,
   * {@code resolver} is called with this trie's value and the other's, and answers the one to take,
   * or null if the key is to be absent. It is not asked for values that are the same bytes: it must
   * choose between two values and not, for example, add them up.
   *
   * <p>Subtrees that only one of the two has, or that both share, are shared with the result, and
   * the result is this trie if it has everything. So the cost is proportional to the number of
   * nodes where both have entries of their own, with a factor of at most 256 for the width of
   * branches; two versions of a map are merged in time proportional to what was changed between
   * them.
   */
  public Trie merge(Trie other, BinaryOperator<byte[]> resolver) {
    return with(TrieMerge.of(root, other.root, resolver).merge());
  }

  /**
   * As {@link #merge}, on the threads of {@link java.util.concurrent.ForkJoinPool#commonPool} as
   * well as this one. The work is the same in sum; the upper levels of the two tries divide it, so
   * keys that all begin alike for a long way are merged by one thread. It is worth trying where
   * millions of entries meet and processors are idle; allocation may be the bound all the same. The
   * resolver is called by several threads at a time, and by none once this has returned or thrown.
   */
  public Trie mergeInParallel(Trie other, BinaryOperator<byte[]> resolver) {
    return with(TrieMerge.of(root, other.root, resolver).invoke());
  }

  private Trie with(Node newRoot) {
    return newRoot == root ? this : of(newRoot);
  }

  /** The differences between this trie and a later, or any other, one; before the first. */
  public TrieDiff diff(Trie after) {
    return new TrieDiff(root, after.root, true);
  }

  /** The same if {@code after} is of another store, where addresses mean other nodes. */
  public TrieDiff diffAcrossStores(Trie after) {
    return new TrieDiff(root, after.root, false);
  }

  /**
   * A trie that is read from {@code source} as it is used; only the root is read at once. A node is
   * read when an operation first needs it, and stays in memory, for all versions that come to share
   * the branch above it. Whether two nodes are the same, and how many entries they have, is known
   * without reading them.
   *
   * @throws org.overlaytrie.CorruptStoreException as later any operation of the trie may, instead
   *     of an answer; so for all errors of {@link NodeSource#read}
   */
  public static Trie stored(NodeSource source, Root root) {
    return root.address() == 0
        ? EMPTY
        : of(new Stub(source, root.address(), root.oldestSegment(), root.size()).loadedRoot());
  }

  /**
   * A trie with the same entries that knows nothing of any image: it must be used when another
   * store is to take over nodes, since an address means another node there. Everything is read that
   * is not in memory, and all branches are copied; keys and values are shared. O(size).
   */
  public Trie detached() {
    return root == null ? EMPTY : new Trie(Detached.copyOf(root));
  }

  /**
   * The length of the longest key of an entry that {@code key} begins with, which may be the whole
   * of it; negative if there is none. O(length of the key).
   */
  public int longestPrefix(byte[] key) {
    int longest = -1;
    int offset = 0;
    Node node = root;
    while (node != null && node.isAt(key, offset, node.fragmentLength())) {
      offset += node.fragmentLength();
      if (node instanceof Leaf || node.value() != null) {
        longest = offset;
      }
      node =
          offset < key.length && node instanceof Branch branch
              ? branch.child(label(key[offset++]))
              : null;
    }
    return longest;
  }

  /** A cursor that goes down byte by byte, before the first byte of all keys. */
  public Descent descent() {
    return new Descent(this);
  }

  /** A cursor before the first entry, in the order of keys. */
  public TrieCursor cursor() {
    return new TrieCursor(root);
  }

  /**
   * The branch where {@code key} leaves {@code node} after {@code shared} bytes of its fragment,
   * which is at {@code offset} of the key.
   */
  private static Branch fork(Node node, int shared, byte[] key, int offset, byte[] value) {
    int label = label(node.bytes[shared]);
    Node rest = node.withFragment(node.bytes, shared + 1, node.fragmentLength());
    return offset == key.length
        ? Branch.of(node.bytes, shared, value, label, rest)
        : Branch.of(
            node.bytes,
            shared,
            label,
            rest,
            label(key[offset]),
            Leaf.of(key, offset + 1, key.length, value));
  }
}
