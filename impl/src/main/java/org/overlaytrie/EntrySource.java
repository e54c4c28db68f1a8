package org.overlaytrie;

import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.trie.Trie;

/**
 * What a map view reads from and writes to, in encoded keys and values. All that it hands out is
 * shared and must not be changed.
 */
interface EntrySource {

  /**
   * All that readers may see now.
   *
   * @throws IllegalStateException if the source is closed, as for each method
   */
  Trie content();

  /** The value that {@code key} has now; null if it is absent. */
  byte[] read(byte[] key);

  /**
   * What a method that writes calls first, whether or not it will find anything to change.
   *
   * @throws UnsupportedOperationException if the source cannot be written to
   */
  void requireWritable();

  /** Applies {@code operation} and returns what its key held before; null if it was absent. */
  byte[] write(Operation operation);

  /**
   * Applies the operation that {@code decision} computes from the newest content, maybe not durable
   * yet, on just that content; returns what the operation's key held before. The decision may be
   * called often and must not throw.
   */
  byte[] decide(Decider decision);

  /**
   * As {@link #decide}, for a decision that takes so long that others outrun it: they wait a moment
   * then.
   */
  byte[] decideLarge(Decider decision);
}
