package org.overlaytrie;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieBuilder;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.trie.TrieDiff;
import org.overlaytrie.wal.LogRecord;

/**
 * Writes many entries that come in the order of their keys: sorted ones, and those of a snapshot.
 * They are gathered in chunks, each built into a trie from the bottom up, which a {@link
 * MergeDecision} puts into the map as one change. Not thread-safe; for one call.
 */
final class BulkWrite<K, V> {
  private static final int MAX_CHUNK_ENTRIES = 4_096;
  private static final int MAX_CHUNK_BYTES = 1 << 20;

  private final EntrySource source;
  private final Encoding<K, V> encoding;
  private final BinaryOperator<byte[]> resolver;
  private final ProgressListener listener;
  private TrieBuilder chunk = new TrieBuilder();
  private int chunkEntries;
  private long chunkBytes;

  /** The key that came last, null before the first. */
  private byte[] lastKey;

  /** All entries, if it is known beforehand which they are. */
  private Trie given;

  /** How many of the entries are done with. */
  private long written;

  private BulkWrite(
      EntrySource source,
      Encoding<K, V> encoding,
      BinaryOperator<byte[]> resolver,
      ProgressListener listener) {
    this.source = source;
    this.encoding = encoding;
    this.resolver = resolver;
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** Puts entries. */
  static <K, V> BulkWrite<K, V> puts(
      EntrySource source, Encoding<K, V> encoding, ProgressListener listener) {
    return new BulkWrite<>(source, encoding, (mine, theirs) -> theirs, listener);
  }

  /** Merges entries. */
  static <K, V> BulkWrite<K, V> merges(
      EntrySource source,
      Encoding<K, V> encoding,
      BinaryOperator<V> onConflict,
      ProgressListener listener) {
    Objects.requireNonNull(onConflict, "onConflict");
    BinaryOperator<byte[]> resolver =
        (mine, theirs) -> {
          V value = onConflict.apply(encoding.decodeValue(mine), encoding.decodeValue(theirs));
          return value == null
              ? null
              : either(mine, theirs, encoding.encodeValue(value, "the value of onConflict"));
        };
    return new BulkWrite<>(source, encoding, resolver, listener);
  }

  /** One of the two if it is equal: then more is shared and less is written. */
  private static byte[] either(byte[] mine, byte[] theirs, byte[] value) {
    if (Arrays.equals(mine, value)) {
      return mine;
    }
    return Arrays.equals(theirs, value) ? theirs : value;
  }

  /** As {@link OverlayTrie#putAllSorted(Iterator, ProgressListener)}. */
  void putAllSorted(Iterator<? extends Entry<? extends K, ? extends V>> sorted) {
    while (sorted.hasNext()) {
      Entry<? extends K, ? extends V> entry = Objects.requireNonNull(sorted.next(), "entry");
      K key = entry.getKey();
      byte[] bytes = encoding.encodeKey(key);
      requireGreater(key, bytes);
      add(bytes, encoding.encodeValue(entry.getValue(), "value"));
    }
    writeChunk();
  }

  private void requireGreater(K key, byte[] bytes) {
    if (lastKey != null && Arrays.compareUnsigned(lastKey, bytes) >= 0) {
      throw new IllegalArgumentException(
          "the keys are not in ascending order: "
              + Bound.describe(key)
              + " comes after "
              + Bound.describe(encoding.decodeKey(lastKey))
              + "; the first "
              + written
              + " entries are written");
    }
  }

  /**
   * As {@link OverlayTrie#mergeFrom(Snapshot, BinaryOperator, ProgressListener)}; {@code theirs} is
   * of the same store or detached.
   */
  void mergeFrom(Trie theirs) {
    if (!write(theirs, true)) {
      throw new IllegalArgumentException(
          "the merge would write more than "
              + LogRecord.MAX_BATCH_BYTES
              + " encoded bytes, the most that one write can: use mergeFromInChunks");
    }
    tell(theirs.size());
  }

  /** As {@link OverlayTrie#mergeFromInChunks(Snapshot, BinaryOperator, ProgressListener)}. */
  void mergeFromInChunks(Trie theirs, boolean sameStore) {
    given = theirs;
    Trie mine = source.content();
    TrieDiff diff = sameStore ? mine.diff(theirs) : mine.diffAcrossStores(theirs);
    while (diff.next()) {
      if (diff.after() != null) {
        add(diff.key(), diff.after());
      }
    }
    writeChunk();
    tell(theirs.size()); // what comes after the last difference is there already
  }

  /** Adds an entry to the chunk; writes it before if there is no room, and after if it is full. */
  private void add(byte[] key, byte[] value) {
    long bytes = LogRecord.Difference.encodedBytes(key.length, value);
    if (chunkBytes + bytes > MAX_CHUNK_BYTES) {
      writeChunk();
    }
    chunk.add(key, value);
    chunkEntries++;
    chunkBytes += bytes;
    lastKey = key;
    if (chunkEntries == MAX_CHUNK_ENTRIES || chunkBytes >= MAX_CHUNK_BYTES) {
      writeChunk();
    }
  }

  private void writeChunk() {
    if (chunkEntries > 0) {
      long done = given == null ? written + chunkEntries : given.rank(lastKey) + 1;
      Trie entries = chunk.build();
      chunk = new TrieBuilder();
      chunkEntries = 0;
      chunkBytes = 0;
      writeParts(entries);
      tell(done);
    }
  }

  /** In halves if the resolver makes too much of it for one record. */
  private void writeParts(Trie entries) {
    if (!write(entries, false)) {
      TrieCursor middle = entries.cursor();
      middle.seekRank(entries.size() / 2);
      writeParts(entries.removeRange(middle.key(), null));
      writeParts(entries.removeRange(new byte[0], middle.key()));
    }
  }

  /** As one change; false if that does not fit into one record, and nothing was written. */
  private boolean write(Trie entries, boolean parallel) {
    MergeDecision decision = new MergeDecision(entries, resolver, parallel);
    source.decideLarge(decision);
    decision.throwFailure();
    return !decision.isTooLarge();
  }

  private void tell(long entries) {
    if (entries > written) {
      written = entries;
      listener.written(entries);
    }
  }
}
