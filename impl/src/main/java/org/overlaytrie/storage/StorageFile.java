package org.overlaytrie.storage;

import java.io.IOException;

/** One open file of a {@link Storage}; see there for what survives a crash. */
public interface StorageFile extends AutoCloseable {

  /** The file's length in bytes. */
  long size() throws IOException;

  /**
   * Reads exactly {@code length} bytes at {@code position}.
   *
   * @throws java.io.EOFException if the file ends before them
   */
  void read(long position, byte[] target, int offset, int length) throws IOException;

  /**
   * Writes exactly {@code length} bytes at {@code position}. A file that ends there, or before
   * their end, grows. If it throws, any part of them may have been written.
   */
  void write(long position, byte[] source, int offset, int length) throws IOException;

  /**
   * Returns once every byte written to this file so far is durable. Never to be retried after it
   * threw.
   */
  void force() throws IOException;

  /** Closes the file without forcing it. Idempotent. */
  @Override
  void close() throws IOException;
}
