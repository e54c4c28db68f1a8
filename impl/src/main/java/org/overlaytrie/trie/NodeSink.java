package org.overlaytrie.trie;

import java.io.IOException;

/**
 * Where a {@link TrieWriter} puts nodes. What a record holds depends on where it lies, so its place
 * is settled first. {@link Addresses} only grow and are never given twice. To be used by one
 * thread.
 */
public interface NodeSink {

  /** The address of the next record, whose payload will have at most {@code maxBytes} bytes. */
  long place(int maxBytes) throws IOException;

  /** Writes the record for which a place was asked last; its payload begins {@code payload}. */
  void append(byte[] payload, int length) throws IOException;
}
