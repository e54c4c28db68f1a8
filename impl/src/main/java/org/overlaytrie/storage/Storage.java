package org.overlaytrie.storage;

import java.io.IOException;
import java.util.List;

/**
 * The only door to the file system: one directory, held exclusively by one open store.
 *
 * <p>The durability contract is that of a POSIX file system with a volatile cache. What {@link
 * StorageFile#write} wrote is visible to later reads at once, but a crash may take any part of it
 * until {@link StorageFile#force} returned. A file's directory entry (its creation or deletion) is
 * separate from its content: it may vanish in a crash until {@link #forceDirectory} returned.
 *
 * <p>After a failed {@code write} or {@code force} nothing is known about what the affected bytes
 * hold on disk; callers must never retry a failed {@code force}. Implementations must not let a
 * thread interrupt close a file or fail an operation, and must leave the caller's interrupt flag
 * set.
 *
 * <p>Calls on different files may run concurrently, and so may calls on two {@link StorageFile}s of
 * one file, one of which writes beyond what the other reads; calls on one {@code StorageFile} are
 * made by one thread at a time.
 */
public interface Storage extends AutoCloseable {

  /** The names of all files in the directory, the lock file included, in no particular order. */
  List<String> list() throws IOException;

  /**
   * Creates {@code name}, replacing a file of that name, with {@code size} zero bytes whose blocks
   * are allocated. Neither the content nor the directory entry is durable before it is forced.
   */
  StorageFile create(String name, long size) throws IOException;

  /** Opens an existing file for reading and writing; it is not changed by being opened. */
  StorageFile open(String name) throws IOException;

  /** Removes the directory entry of {@code name}; durable only after {@link #forceDirectory}. */
  void delete(String name) throws IOException;

  /** Makes every creation and deletion so far durable. */
  void forceDirectory() throws IOException;

  /** Where {@code name} lies, for messages: a path a person can open. */
  String locate(String name);

  /**
   * Gives up the exclusive hold on the directory. Files must have been closed before. Idempotent.
   */
  @Override
  void close() throws IOException;
}
