package org.overlaytrie.trie;

import java.util.ArrayDeque;
import java.util.Deque;

/** Copies nodes so that nothing of them refers to an image. */
final class Detached {
  private Detached() {}

  /** {@code root} with all that is below it in memory and without addresses; it stays as it is. */
  static Node copyOf(Node root) {
    Path path = new Path();
    Deque<Node[]> copies = new ArrayDeque<>();
    Node node = root.loaded();
    while (true) {
      if (node instanceof Branch branch) {
        path.push(branch, branch.nextPosition(0));
        copies.push(new Node[branch.endPosition()]);
      } else {
        Node copy = ((Leaf) node).detached();
        while (!isFurther(path, copies, copy)) {
          copy = path.branch().withSlots(copies.pop());
          path.pop();
        }
        if (path.isEmpty()) {
          return copies.pop()[0];
        }
      }
      node = path.branch().slot(path.position()).loaded();
    }
  }

  /**
   * Keeps the copy of a child; whether its parent has a further one, to which the path then leads.
   */
  private static boolean isFurther(Path path, Deque<Node[]> copies, Node copy) {
    if (path.isEmpty()) {
      copies.push(new Node[] {copy});
      return true;
    }
    copies.peek()[path.position()] = copy;
    int next = path.branch().nextPosition(path.position() + 1);
    if (next >= 0) {
      path.turnTo(next);
    }
    return next >= 0;
  }
}
