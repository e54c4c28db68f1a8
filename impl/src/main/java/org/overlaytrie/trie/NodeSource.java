package org.overlaytrie.trie;

import org.overlaytrie.CorruptStoreException;

/**
 * Where the nodes lie that are not in memory: the checkpoint image. A trie that was {@link
 * Trie#stored} asks for a node's record when an operation first needs the node, by the thread that
 * needs it; so any number of threads may call at a time, also for the same record.
 */
public interface NodeSource {

  /**
   * The payload of the record at {@code address}, a fresh array, just as it was given to the {@link
   * NodeSink}.
   *
   * @throws CorruptStoreException if there is no such record
   * @throws java.io.UncheckedIOException naming the place, if it cannot be read
   * @throws IllegalStateException if the source is closed
   */
  byte[] read(long address);

  /** What to throw if the record at {@code address} is not as {@code expectation} says. */
  CorruptStoreException damaged(long address, String expectation);
}
