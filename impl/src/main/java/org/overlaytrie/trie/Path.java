package org.overlaytrie.trie;

import java.util.Arrays;

/**
 * The way from the root to a node: the branches passed and the position taken in each. It takes the
 * place of recursion and is used by one thread.
 */
final class Path {
  private static final int INITIAL_CAPACITY = 16;

  private Branch[] branches = new Branch[INITIAL_CAPACITY];
  private int[] positions = new int[INITIAL_CAPACITY];
  private int depth;

  /** Goes down from {@code branch} by the child at {@code position}. */
  void push(Branch branch, int position) {
    if (depth == branches.length) {
      branches = Arrays.copyOf(branches, 2 * depth);
      positions = Arrays.copyOf(positions, 2 * depth);
    }
    branches[depth] = branch;
    positions[depth++] = position;
  }

  boolean isEmpty() {
    return depth == 0;
  }

  /** The lowest branch. */
  Branch branch() {
    return branches[depth - 1];
  }

  /** The position taken in the lowest branch. */
  int position() {
    return positions[depth - 1];
  }

  /** The label of the position taken in the lowest branch. */
  int label() {
    return branch().labelAt(position());
  }

  /** Takes another position in the lowest branch. */
  void turnTo(int position) {
    positions[depth - 1] = position;
  }

  /** Goes back up to the lowest branch and forgets it. */
  void pop() {
    branches[--depth] = null;
  }

  /** Copies all branches on the way so that it leads to {@code node}; answers the new root. */
  Node copyTo(Node node) {
    Node copy = node;
    for (int i = depth - 1; i >= 0; i--) {
      copy = branches[i].withChildAt(positions[i], copy);
    }
    return copy;
  }
}
