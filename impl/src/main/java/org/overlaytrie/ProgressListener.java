package org.overlaytrie;

/**
 * Is told how far a write of many entries has come: {@link OverlayTrie#putAllSorted(
 * java.util.Iterator, ProgressListener)} and {@link OverlayTrie#mergeFrom(Snapshot,
 * java.util.function.BinaryOperator, ProgressListener)} with its variant in chunks; and {@link
 * OverlayTrie#backupTo(java.nio.file.Path, ProgressListener)}, which makes durable in the end.
 */
@FunctionalInterface
public interface ProgressListener {

  /**
   * Of the entries given, in the order of their keys, the first {@code entries} are done with, and
   * durable if that is what the store's {@link Durability} says of a write that has returned.
   * Called by the thread that called the operation, while nothing is locked or waits, each time
   * with a greater number; the last is that of all entries, unless the operation ends with an
   * exception. One that is thrown here ends it, takes nothing back, and reaches the caller.
   */
  void written(long entries);
}
