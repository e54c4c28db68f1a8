package org.overlaytrie.trie;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.overlaytrie.CorruptStoreException;

/**
 * An image in memory whose reads are counted, with segments so small that trees reach over many.
 */
final class MemoryNodes implements NodeSource, NodeSink {
  private static final int SEGMENT_BYTES = 500;

  final Map<Long, byte[]> records = new ConcurrentHashMap<>();
  private final AtomicLong reads = new AtomicLong();
  private int segment = 1;
  private long end = 1;

  /** How many records were read since this was asked last. */
  long takeReads() {
    return reads.getAndSet(0);
  }

  @Override
  public byte[] read(long address) {
    reads.incrementAndGet();
    byte[] payload = records.get(address);
    if (payload == null) {
      throw damaged(address, "a record");
    }
    return payload.clone();
  }

  @Override
  public CorruptStoreException damaged(long address, String expectation) {
    return new CorruptStoreException(
        "segment " + Addresses.segment(address), Addresses.offset(address), expectation);
  }

  @Override
  public long place(int maxBytes) {
    if (end > 1 && end + maxBytes > SEGMENT_BYTES) {
      segment++;
      end = 1;
    }
    return Addresses.of(segment, end);
  }

  @Override
  public void append(byte[] payload, int length) {
    records.put(Addresses.of(segment, end), Arrays.copyOf(payload, length));
    end += length;
  }

  /** Writes what has changed, and installs the addresses. */
  Root checkpoint(Trie trie) {
    TrieWriter writer = TrieWriter.changes(this, done -> {});
    Root root = write(writer, trie);
    writer.installAddresses();
    return root;
  }

  static Root write(TrieWriter writer, Trie trie) {
    try {
      return writer.write(trie);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The trie that was written, nothing but its root in memory. */
  Trie stored(Trie trie) {
    return Trie.stored(this, checkpoint(trie));
  }
}
