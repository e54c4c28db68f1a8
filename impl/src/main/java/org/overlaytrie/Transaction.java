package org.overlaytrie;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * Reads of one version of the store, and writes that nobody sees until {@link #commit} makes all of
 * them at one moment. Begun by {@link OverlayTrie#begin} or {@link OverlayTrie#beginValidated}.
 *
 * <pre>{@code
 * try (Transaction<String, Long> transfer = accounts.beginValidated()) {
 *   transfer.put("a", transfer.get("a") - 10);
 *   transfer.put("b", transfer.get("b") + 10);
 *   transfer.commit();
 * }
 * }</pre>
 *
 * <p><b>Promise.</b> Readers and recovery see all writes or none. A validated transaction commits
 * only if every key that it read has, at the moment of the commit, the value that it read (by their
 * encodings), as if all of it had happened at that moment. One that is not validated writes over
 * whatever others have written since. What {@code commit} says is as durable as the store's {@link
 * Durability} makes any write that has returned.
 *
 * <p><b>Threads.</b> One at a time; other threads and transactions are not hindered. There are no
 * locks and no waiting but that of {@code commit} for its force, where writes wait.
 *
 * <p><b>Errors.</b> After {@code commit}, {@link #abort} or {@link #close}, and after the store was
 * closed, {@link IllegalStateException}; otherwise those of the store's own reads and writes. The
 * encodings of all writes together may have at most 134,217,728 bytes (128 MiB); the write that
 * would go beyond throws {@link IllegalArgumentException} and is left out.
 *
 * <p><b>Cost.</b> Each write, and for a validated transaction each key read, stays in memory until
 * the end. A transaction keeps the version that it reads in memory. Beginning and aborting are
 * O(1).
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class Transaction<K, V> implements AutoCloseable {
  private final EntrySource source;
  private final Encoding<K, V> encoding;

  /** What was read of the version, by encoded key, null where absent; null if not validated. */
  private final Map<ByteBuffer, byte[]> reads;

  /** Null once the transaction has ended, as is the next. */
  private Trie version;

  private WriteSet writes = new WriteSet();

  Transaction(EntrySource source, Encoding<K, V> encoding, boolean validated) {
    this.source = source;
    this.encoding = encoding;
    this.reads = validated ? new LinkedHashMap<>() : null;
    this.version = source.content();
  }

  /**
   * The value of {@code key}: what this transaction wrote, or else what the store held when it
   * began; null if it is absent.
   */
  public V get(K key) {
    requireOpen();
    byte[] bytes = encoding.encodeKey(key);
    LogRecord.Write own = writes.get(bytes);
    if (own != null) {
      return own instanceof LogRecord.Put put ? encoding.decodeValue(put.value()) : null;
    }
    byte[] value = version.get(bytes);
    if (reads != null) {
      reads.put(ByteBuffer.wrap(bytes), value);
    }
    return encoding.decodeValue(value);
  }

  /** Sets {@code key} to {@code value} when the transaction commits. */
  @Upholds("DocumentTransaction!UnfinishedNeverReplaysInv")
  public void put(K key, V value) {
    requireOpen();
    byte[] bytes = encoding.encodeKey(key);
    writes.add(bytes, new LogRecord.Put(bytes, encoding.encodeValue(value, "value")));
  }

  /** Removes {@code key}, if it is present, when the transaction commits. */
  @Upholds("DocumentTransaction!UnfinishedNeverReplaysInv")
  public void remove(K key) {
    requireOpen();
    byte[] bytes = encoding.encodeKey(key);
    writes.add(bytes, new LogRecord.Remove(bytes));
  }

  /**
   * Makes all writes, and ends the transaction, whether it returns or throws. Returns when a {@code
   * put} would: where writes wait, once they are durable, with one write of the log and one force
   * that others may share. A validated transaction without writes still validates, and waits
   * likewise.
   *
   * @throws TransactionConflictException if this is a validated transaction, and a key that it read
   *     has another value now; nothing was changed
   * @throws StoreFailedException if the store has failed; whether the writes took effect, all of
   *     them, shows after the next open
   */
  @Upholds("DocumentTransaction!TransactionAtomicInv")
  @Upholds("DocumentTransaction!ConsumedOnceInv")
  public void commit() {
    requireOpen();
    Operation operation = writes.operation();
    end();
    byte[][] conflict = new byte[1][];
    source.decide(
        tip -> {
          conflict[0] = changedSince(tip);
          return conflict[0] == null
              ? operation
              : Operation.observation(conflict[0], tip.get(conflict[0]));
        });
    if (conflict[0] != null) {
      throw new TransactionConflictException(encoding.decodeKey(conflict[0]));
    }
  }

  /** The first key that was read and has another value in {@code tip}; null if there is none. */
  @Upholds("DocumentTransaction!ValidatedReadsHoldInv")
  private byte[] changedSince(Trie tip) {
    if (reads != null) {
      for (Map.Entry<ByteBuffer, byte[]> read : reads.entrySet()) {
        byte[] key = read.getKey().array();
        if (!Arrays.equals(tip.get(key), read.getValue())) {
          return key;
        }
      }
    }
    return null;
  }

  /**
   * Forgets all writes; the store is as if the transaction had never been. O(1), whatever was
   * written.
   *
   * @throws IllegalStateException if the transaction has ended; not if the store was closed
   */
  @Upholds("DocumentTransaction!AbortLeavesNoTraceInv")
  public void abort() {
    requireNotEnded();
    end();
  }

  /** As {@link #abort}; does nothing if the transaction has ended. */
  @Override
  public void close() {
    end();
  }

  private void end() {
    version = null;
    writes = null;
  }

  private void requireOpen() {
    requireNotEnded();
    source.content(); // says whether the store is closed
  }

  @Upholds("DocumentTransaction!ConsumedOnceInv")
  private void requireNotEnded() {
    if (version == null) {
      throw new IllegalStateException("the transaction has ended");
    }
  }
}
