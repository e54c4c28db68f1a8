package org.overlaytrie.trie;

import static org.overlaytrie.trie.Addresses.offset;
import static org.overlaytrie.trie.Addresses.segment;

/**
 * Makes the records of nodes; {@link RecordDecoder} reads them. A record is a branch with its small
 * leaves, or one leaf. The grammar is in {@code docs/FORMAT.md}.
 *
 * <p>Of a child that has a record of its own, its parent's record says where that lies, how many
 * entries it has and how old the oldest segment is that its subtree reaches into. Addresses are
 * relative to the parent's: children are written first and mostly shortly before, so the distance
 * is a small number.
 */
final class RecordEncoder {
  /** What a payload begins with. */
  static final int LEAF = 0;

  static final int BRANCH = 1;
  static final int BRANCH_WITH_VALUE = 2;

  /** In a child's first number: set if it has a record of its own. */
  static final int REFERENCE = 1;

  /** In a reference's second number: set if not all of the subtree is in the parent's segment. */
  static final int FAR = 1;

  /** Kind, length of the fragment, length of the value, number of children. */
  private static final int MAX_HEAD_BYTES = 1 + 5 + 5 + 2;

  private static final int MAX_INLINED_HEAD_BYTES = 1 + 2 + 2;
  private static final int MAX_REFERENCE_BYTES = 1 + PayloadWriter.MAX_NUMBER_BYTES + 5 + 5 + 5;

  private RecordEncoder() {}

  /** No payload of {@code node} has more bytes. */
  static int maxBytes(Node node) {
    int bytes = MAX_HEAD_BYTES + node.fragmentLength() + valueLength(node);
    if (node instanceof Branch branch) {
      for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
        Node child = branch.slot(at);
        bytes +=
            child.hasRecord()
                ? MAX_REFERENCE_BYTES
                : MAX_INLINED_HEAD_BYTES + child.fragmentLength() + valueLength(child);
      }
    }
    return bytes;
  }

  private static int valueLength(Node node) {
    return node instanceof Leaf || node.value() != null
        ? node.value((bytes, from, to) -> to - from)
        : 0;
  }

  /** Writes the payload of a leaf. */
  static void encode(Leaf leaf, PayloadWriter out) {
    out.octet(LEAF);
    fragment(leaf, out);
    value(leaf, out);
  }

  /**
   * Writes the payload of a branch whose record will lie at {@code address}. Its children that have
   * records are, in their order, the references in {@code children} from {@code from} on. Answers
   * the oldest segment that its subtree reaches into.
   */
  static int encode(Branch branch, long address, References children, int from, PayloadWriter out) {
    byte[] value = branch.value();
    out.octet(value == null ? BRANCH : BRANCH_WITH_VALUE);
    fragment(branch, out);
    if (value != null) {
      out.number(value.length);
      out.bytes(value, 0, value.length);
    }
    out.number(branch.fanOut());
    int oldest = segment(address);
    int reference = from;
    for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
      out.octet(branch.labelAt(at));
      Node child = branch.slot(at);
      if (child.hasRecord()) {
        out.number(child.size() << 1 | REFERENCE);
        int childOldest = children.oldestSegment(reference);
        locate(address, children.address(reference), childOldest, out);
        oldest = Math.min(oldest, childOldest);
        reference++;
      } else {
        out.number((long) child.fragmentLength() << 1);
        out.number(valueLength(child));
        out.bytes(child.bytes, 0, child.fragmentLength());
        value(child, out);
      }
    }
    return oldest;
  }

  private static void locate(long parent, long child, int oldestSegment, PayloadWriter out) {
    int segment = segment(child);
    if (oldestSegment == segment(parent)) {
      out.number((parent - child) << 1);
    } else {
      out.number((long) (segment(parent) - segment) << 1 | FAR);
      out.number(offset(child));
      out.number((long) segment - oldestSegment);
    }
  }

  private static void fragment(Node node, PayloadWriter out) {
    out.number(node.fragmentLength());
    out.bytes(node.bytes, 0, node.fragmentLength());
  }

  private static void value(Node leaf, PayloadWriter out) {
    int unused =
        leaf.value(
            (bytes, from, to) -> {
              out.bytes(bytes, from, to);
              return to - from;
            });
  }
}
