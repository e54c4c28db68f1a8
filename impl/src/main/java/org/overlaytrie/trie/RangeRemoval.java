package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

/**
 * Takes a range of keys out of a trie. The two bounds go the same way for a while. Where they part,
 * everything between them goes: children of that branch as a whole, and what is beyond the bound
 * along the way of either. Only branches on the two ways are built anew; all that is kept beside
 * them is shared.
 *
 * <pre>
 *             root
 *              |        the common way: no other child is touched
 *            branch
 *          / |xxx| \\
 *        from     to    the ways of the bounds: x goes
 *        / xx     xx \\
 * </pre>
 */
final class RangeRemoval {
  /** Less and greater than every label. */
  private static final int NO_LOW = -1;

  private static final int NO_HIGH = 256;

  private RangeRemoval() {}

  /**
   * What is left of {@code root} without the keys from {@code from} on and below {@code to} (null
   * for all): {@code root} itself if that is everything, null if it is nothing.
   */
  static Node remove(Node root, byte[] from, byte[] to) {
    if (to == null) {
      return half(root, 0, from, true);
    }
    Path path = new Path();
    Node node = root;
    int offset = 0;
    while (true) {
      Side fromSide = Side.of(from, offset, node);
      Side toSide = Side.of(to, offset, node);
      if (fromSide == Side.AFTER || toSide == Side.BEFORE) {
        return root;
      }
      offset += node.fragmentLength();
      if (fromSide != Side.WITHIN || toSide != Side.WITHIN || from[offset] != to[offset]) {
        Node rest = between(node, offset, from, fromSide, to, toSide);
        return rest == node ? root : replace(path, rest);
      }
      Branch branch = (Branch) node;
      int position = branch.position(label(from[offset++]));
      if (position < 0) {
        return root;
      }
      path.push(branch, position);
      node = branch.childAt(position);
    }
  }

  /** What is left of the node where the bounds part; its fragment ends at {@code offset}. */
  private static Node between(
      Node node, int offset, byte[] from, Side fromSide, byte[] to, Side toSide) {
    if (fromSide == Side.BEFORE && toSide == Side.AFTER) {
      return null;
    }
    Branch branch = (Branch) node;
    boolean fromWithin = fromSide == Side.WITHIN;
    int low = fromWithin ? label(from[offset]) : NO_LOW;
    int high = toSide == Side.WITHIN ? label(to[offset]) : NO_HIGH;
    if (low > high) { // an inverted range is an empty one
      return node;
    }
    Node lowChild = low == NO_LOW ? null : half(branch.child(low), offset + 1, from, true);
    Node highChild = high == NO_HIGH ? null : half(branch.child(high), offset + 1, to, false);
    return branch
        .cut(fromWithin ? branch.value() : null, low, lowChild, high, highChild)
        .canonical();
  }

  /**
   * The entries of {@code top} that are less than {@code bound}, or those that are not. The first
   * {@code offset} bytes of the bound are the way to {@code top}, which may be null.
   */
  private static Node half(Node top, int offset, byte[] bound, boolean less) {
    Path path = new Path();
    Node node = top;
    Node rest = null;
    int end = offset;
    while (node != null) {
      Side side = Side.of(bound, end, node);
      if (side != Side.WITHIN) {
        rest = (side == Side.AFTER) == less ? node : null;
        break;
      }
      Branch branch = (Branch) node;
      end += branch.fragmentLength();
      int label = label(bound[end++]);
      int position = branch.position(label);
      if (position < 0) {
        rest = halve(branch, label, null, less);
        break;
      }
      path.push(branch, position);
      node = branch.childAt(position);
    }
    while (!path.isEmpty()) {
      rest = halve(path.branch(), path.label(), rest, less);
      path.pop();
    }
    return rest;
  }

  /** The half of one branch, of whose child at {@code label} {@code child} is left. */
  private static Node halve(Branch branch, int label, Node child, boolean less) {
    Branch rest =
        less
            ? branch.cut(branch.value(), label, child, NO_HIGH, null)
            : branch.cut(null, NO_LOW, null, label, child);
    return rest.canonical();
  }

  /** The root when {@code rest}, null for nothing, takes the place at the end of the path. */
  private static Node replace(Path path, Node rest) {
    if (rest != null || path.isEmpty()) {
      return path.copyTo(rest);
    }
    Branch shrunk = path.branch().withoutChildAt(path.position());
    path.pop();
    return path.copyTo(shrunk.canonical());
  }
}
