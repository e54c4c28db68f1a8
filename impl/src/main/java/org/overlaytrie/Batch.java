package org.overlaytrie;

import java.util.Objects;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * Writes that {@link OverlayTrie#writeBatch} makes together: all of them take effect at one moment,
 * and readers and recovery see all of them or none. They take effect in their order; of several
 * writes to one key the last counts.
 *
 * <p>For one thread, and only until the call returns that gave it: later use throws {@link
 * IllegalStateException}. The encodings of all writes together may have at most 134,217,728 bytes
 * (128 MiB); the write that would go beyond throws {@link IllegalArgumentException} and is left
 * out. Other errors are those of the store's own writes.
 *
 * <p>Cost: each call encodes its arguments, and keeps the encodings until the batch is written.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class Batch<K, V> {
  private final Encoding<K, V> encoding;
  private WriteSet writes = new WriteSet();

  Batch(Encoding<K, V> encoding) {
    this.encoding = encoding;
  }

  /** Sets {@code key} to {@code value}. */
  public void put(K key, V value) {
    byte[] bytes = encoding.encodeKey(key);
    writes().add(bytes, new LogRecord.Put(bytes, encoding.encodeValue(value, "value")));
  }

  /** Removes {@code key}, if it is present. */
  public void remove(K key) {
    byte[] bytes = encoding.encodeKey(key);
    writes().add(bytes, new LogRecord.Remove(bytes));
  }

  /**
   * Removes all keys from {@code from} on that are less than {@code to}, those that this batch has
   * put before included. Its size and its cost do not depend on how many keys there are.
   *
   * @throws IllegalArgumentException if {@code from} comes after {@code to}
   */
  public void removeRange(K from, K to) {
    byte[] low = encoding.encodeKey(Objects.requireNonNull(from, "from"));
    Bound high = new Bound(to, encoding.encodeKey(Objects.requireNonNull(to, "to")), false);
    if (high.compareTo(low) < 0) {
      throw new IllegalArgumentException(
          "the range is inverted: from " + Bound.describe(from) + " to " + Bound.describe(to));
    }
    writes().add(new LogRecord.RemoveRange(low, high.encoded()));
  }

  /** Removes all keys with this prefix, as {@link OverlayTrie#removePrefix} does. */
  public void removePrefix(K prefix) {
    byte[] bytes = encoding.encodeKey(prefix);
    writes().add(new LogRecord.RemoveRange(bytes, Trie.endOfPrefix(bytes)));
  }

  private WriteSet writes() {
    if (writes == null) {
      throw new IllegalStateException("the batch is over: writeBatch has returned");
    }
    return writes;
  }

  /** All writes; there can be no more. */
  Operation end() {
    Operation operation = writes().operation();
    writes = null;
    return operation;
  }
}
