package org.overlaytrie.trie;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.RecursiveTask;
import java.util.function.BinaryOperator;

/**
 * Puts the entries of two tries together. Both are walked side by side; a subtree that only one of
 * them has, or that both share, becomes part of the result as it is. Only nodes where both have
 * entries of their own are built anew, and not even those if what comes out is what one of the two
 * had.
 *
 * <pre>
 *      one     other        result
 *       o        o            o'       new
 *      / \\      / \\         / | \\
 *     A   B    B'  C       A  b  C     A and C are shared; b is B and B' put together
 * </pre>
 *
 * <p>The walk does not recurse. As a task it does, but at most {@link #MAX_FORKS} levels deep: each
 * pair of children of the uppermost nodes is a task of its own.
 */
final class TrieMerge extends RecursiveTask<Node> {
  private static final long serialVersionUID = 1L;

  /** How many levels of the tries are divided into tasks. */
  private static final int MAX_FORKS = 6;

  /** Beneath so many entries on either side a task costs more than it saves. */
  private static final int MIN_TASK_ENTRIES = 1_024;

  private final transient Place one;
  private final transient Place other;
  private final transient BinaryOperator<byte[]> resolver;
  private final int forksLeft;

  private TrieMerge(Place one, Place other, BinaryOperator<byte[]> resolver, int forksLeft) {
    this.one = one;
    this.other = other;
    this.resolver = resolver;
    this.forksLeft = forksLeft;
  }

  /** The two tries' root together; {@code resolver} as for {@link Trie#merge}. */
  static TrieMerge of(Node one, Node other, BinaryOperator<byte[]> resolver) {
    return new TrieMerge(Place.of(one), Place.of(other), resolver, MAX_FORKS);
  }

  /** Two places that the same key bytes lead to, and the node that becomes of them. */
  private static final class Pair {
    private final Place oneStart;
    private final Place otherStart;
    private final Place one;
    private final Place other;
    private final OpenBranch merged = new OpenBranch();
    private int nextLabel;

    Pair(Place oneStart, Place otherStart, BinaryOperator<byte[]> resolver) {
      int shared = oneStart.shared(otherStart);
      this.oneStart = oneStart;
      this.otherStart = otherStart;
      this.one = oneStart.ahead(shared);
      this.other = otherStart.ahead(shared);
      merged.value(resolve(one.value(), other.value(), resolver));
    }

    /** The next label at which both have entries of their own; adds what is before it. */
    int nextCommonLabel() {
      while (true) {
        int left = one.labelFrom(nextLabel);
        int right = other.labelFrom(nextLabel);
        int label = left < 0 || right < 0 ? Math.max(left, right) : Math.min(left, right);
        if (label < 0) {
          return -1;
        }
        nextLabel = label + 1;
        if (partAt(label)) {
          return label;
        }
        merged.add(label, (label == left ? one : other).slotBelow(label).subtree());
      }
    }

    /** Whether both have entries of their own at {@code label}; nothing is loaded to find out. */
    boolean partAt(int label) {
      Place left = one.slotBelow(label);
      Place right = other.slotBelow(label);
      return !left.isNowhere() && !right.isNowhere() && !left.isSame(right);
    }

    /** The finished node: one of the two if nothing came to it; null if nothing is left of both. */
    Node close() {
      if (one.rest() == 0 && merged.isLike(one.node())) {
        return oneStart.subtree();
      }
      if (other.rest() == 0 && merged.isLike(other.node())) {
        return otherStart.subtree();
      }
      return merged.close(one.node().bytes, oneStart.offset(), one.offset());
    }

    private static byte[] resolve(byte[] left, byte[] right, BinaryOperator<byte[]> resolver) {
      if (left == null || right == null) {
        return left == null ? right : left;
      }
      return Arrays.equals(left, right) ? left : resolver.apply(left, right);
    }
  }

  /** The node of both, by this thread alone. */
  Node merge() {
    if (isSettled()) {
      return (one.isNowhere() ? other : one).subtree();
    }
    Deque<Pair> way = new ArrayDeque<>();
    Deque<Integer> labels = new ArrayDeque<>();
    way.push(new Pair(one, other, resolver));
    while (true) {
      Pair pair = way.peek();
      int label = pair.nextCommonLabel();
      if (label >= 0) {
        labels.push(label);
        way.push(new Pair(pair.one.below(label), pair.other.below(label), resolver));
      } else {
        Node node = way.pop().close();
        if (way.isEmpty()) {
          return node;
        }
        way.peek().merged.add(labels.pop(), node);
      }
    }
  }

  /** The same node; the tasks of the upper levels may run on other threads. */
  @Override
  protected Node compute() {
    if (isSettled() || forksLeft == 0 || !isWorthATask()) {
      return merge();
    }
    Pair pair = new Pair(one, other, resolver);
    Deque<TrieMerge> tasks = new ArrayDeque<>();
    for (int at = pair.one.labelFrom(0); at >= 0; at = pair.one.labelFrom(at + 1)) {
      if (pair.partAt(at)) {
        Place left = pair.one.below(at);
        Place right = pair.other.below(at);
        tasks.add(new TrieMerge(left, right, resolver, forksLeft - 1));
      }
    }
    tasks.forEach(TrieMerge::fork);
    try {
      for (int label = pair.nextCommonLabel(); label >= 0; label = pair.nextCommonLabel()) {
        pair.merged.add(label, tasks.remove().join());
      }
    } finally {
      tasks.forEach(TrieMerge::quietlyJoin); // what fails must not go on asking the resolver
    }
    return pair.close();
  }

  private boolean isSettled() {
    return one.isNowhere() || other.isNowhere() || one.isSame(other);
  }

  private boolean isWorthATask() {
    return Math.min(one.node().size(), other.node().size()) >= MIN_TASK_ENTRIES;
  }
}
