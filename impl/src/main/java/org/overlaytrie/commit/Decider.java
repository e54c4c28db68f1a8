package org.overlaytrie.commit;

import org.overlaytrie.trie.Trie;

/**
 * What to write, computed from what is there; asked again for each content that it would change.
 */
@FunctionalInterface
public interface Decider {

  /** What to do on {@code tip}, the newest content, maybe not durable yet. Must not throw. */
  Operation decide(Trie tip);

  /**
   * What the operation decided last finds at its key in {@code tip}, which it was decided on. Who
   * has looked there already says so, and spares a second look.
   */
  default byte[] found(Operation operation, Trie tip) {
    return operation.find(tip);
  }
}
