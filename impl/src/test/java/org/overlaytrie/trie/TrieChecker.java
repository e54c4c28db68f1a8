package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Checks a trie's whole structure: one form for each content, sorted labels, a layout that fits the
 * fan-out, counts that are the sums of what is below. Iterative, as tries may be 65,536 nodes deep.
 */
final class TrieChecker {
  private TrieChecker() {}

  /** Fails with the name of the broken rule; answers the trie. */
  static Trie checked(Trie trie) {
    if (trie.root() == null) {
      assertThat(trie).as("the trie without a root").isSameAs(Trie.EMPTY);
      return trie;
    }
    List<Node> parentsFirst = nodes(trie.root());
    Collections.reverse(parentsFirst);
    IdentityHashMap<Node, Long> entries = new IdentityHashMap<>();
    for (Node node : parentsFirst) {
      long counted = node instanceof Branch branch ? checkBranch(branch, entries) : checkLeaf(node);
      if (counted != node.size()) {
        fail("a node says it has %d entries and has %d", node.size(), counted);
      }
      entries.put(node, counted);
    }
    assertThat(trie.size()).as("size of the trie").isEqualTo(entries.get(trie.root()));
    return trie;
  }

  /** Whether two tries have the same form; sparse and dense branches may stand for each other. */
  static boolean sameStructure(Trie one, Trie other) {
    if (one.root() == null || other.root() == null) {
      return one.root() == other.root();
    }
    List<Node> left = nodes(one.root());
    List<Node> right = nodes(other.root());
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!sameNode(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameNode(Node one, Node other) {
    return one.getClass() == other.getClass()
        && one.size() == other.size()
        && Arrays.equals(fragment(one), fragment(other))
        && Arrays.equals(one.value(), other.value())
        && labels(one).equals(labels(other));
  }

  /** All nodes, each before its children, of these the last first. */
  static List<Node> nodes(Node root) {
    List<Node> nodes = new ArrayList<>();
    Deque<Node> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      Node node = open.pop();
      nodes.add(node);
      if (node instanceof Branch branch) {
        for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
          open.push(branch.childAt(at));
        }
      }
    }
    return nodes;
  }

  private static List<Integer> labels(Node node) {
    List<Integer> labels = new ArrayList<>();
    if (node instanceof Branch branch) {
      for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
        labels.add(branch.labelAt(at));
      }
    }
    return labels;
  }

  private static long checkLeaf(Node leaf) {
    if (leaf.value() == null) {
      fail("a leaf without value");
    }
    return 1;
  }

  private static byte[] fragment(Node node) {
    return Arrays.copyOf(node.bytes, node.fragmentLength());
  }

  private static long checkBranch(Branch branch, IdentityHashMap<Node, Long> entries) {
    List<Integer> labels = labels(branch);
    int children = labels.size();
    if (children == 0 || (children == 1 && branch.value() == null)) {
      fail("a branch with %d children and value %s", children, Arrays.toString(branch.value()));
    }
    if (children != branch.fanOut()) {
      fail("a branch says it has %d children and has %d", branch.fanOut(), children);
    }
    boolean fits = branch.isDense() ? children >= Branch.MIN_DENSE : children <= Branch.MAX_SPARSE;
    if (!fits) {
      fail("a branch with %d children is %s", children, branch.isDense() ? "dense" : "sparse");
    }
    long counted = branch.value() == null ? 0 : 1;
    int previous = -1;
    for (int label : labels) {
      if (label <= previous || label > 0xFF) {
        fail("labels are not in ascending order: %s", labels);
      }
      previous = label;
      Node child = branch.childAt(branch.position(label));
      if (child == null || child != branch.child(label)) {
        fail("the child labelled %d is not found by its label", label);
      }
      counted += entries.get(child);
    }
    return counted;
  }
}
