package org.overlaytrie;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreIdentity;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * A concurrent, ordered map that lives in a directory and survives {@code kill -9} and power loss.
 *
 * <p><b>Promise.</b> When a write returns, its effect is durable: it was forced to disk before.
 * Whatever any call returned, reads included, is never taken back by a crash; a write that had not
 * returned has either taken effect completely or not at all when the store is opened again. Single
 * operations are linearizable. All this is {@code DurableMap.tla} in the specifications.
 *
 * <p><b>Order.</b> Entries are ordered by unsigned comparison of their encoded keys; {@link Codecs}
 * says what that means for each codec. Views and iterators run in ascending order.
 *
 * <p><b>Threads.</b> All methods may be called by any number of threads. Reads never wait. Writes
 * wait for a force of the log that concurrent writers share. Iterators are weakly consistent: they
 * show the map as it was when they were created, and never throw {@link
 * java.util.ConcurrentModificationException}. An interrupt neither harms the store nor ends a wait;
 * the flag stays set.
 *
 * <p><b>Cost.</b> Reads and writes take time proportional to the length of the encoded key,
 * whatever the size of the map. {@link #size()} is O(1). The whole map is kept in memory; opening
 * reads the whole log.
 *
 * <p><b>Limits.</b> An encoded key has at most 65,536 bytes, an encoded value at most 67,108,864
 * (64 MiB). Longer ones, and objects that a codec rejects, cause {@link IllegalArgumentException};
 * null keys or values cause {@link NullPointerException}. Nothing is changed then.
 *
 * <p><b>Errors.</b> {@link StoreFailedException} from a write after the log could not be written;
 * {@link IllegalStateException} after {@link #close()}; {@link ClassCastException} as in {@link
 * Map} for objects of another type.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class OverlayTrie<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V>, AutoCloseable {
  private final Storage storage;
  private final Codec<K> keyCodec;
  private final Codec<V> valueCodec;
  private final ProtocolEvents events;
  private final SequencedCommit commit;

  private OverlayTrie(
      Storage storage,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      ProtocolEvents events,
      SequencedCommit commit) {
    this.storage = storage;
    this.keyCodec = keyCodec;
    this.valueCodec = valueCodec;
    this.events = events;
    this.commit = commit;
  }

  /** Opens with {@link Options#defaults()}; see {@link #open(Path, Codec, Codec, Options)}. */
  public static <K, V> OverlayTrie<K, V> open(
      Path directory, Codec<K> keyCodec, Codec<V> valueCodec) {
    return open(directory, keyCodec, valueCodec, Options.defaults());
  }

  /**
   * Opens the store in {@code directory}, creating the directory and an empty store if there is
   * none. What a crash left is recovered. The directory belongs to this store alone until it is
   * closed.
   *
   * <p>Cost: one pass over the log, and a few forces.
   *
   * @throws StoreLockedException if the directory is open already, here or in another process
   * @throws CorruptStoreException if the files are damaged in a way that no crash explains
   * @throws IncompatibleStoreException if the store was written with other codecs or in a newer
   *     format, or the directory holds other files and no store
   * @throws UncheckedIOException if the directory cannot be used: it is a file, not writable, or
   *     the disk fails
   */
  public static <K, V> OverlayTrie<K, V> open(
      Path directory, Codec<K> keyCodec, Codec<V> valueCodec, Options options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(keyCodec, "keyCodec");
    Objects.requireNonNull(valueCodec, "valueCodec");
    Objects.requireNonNull(options, "options");
    try {
      ProtocolEvents events = TraceRecorder.configured();
      try {
        Storage storage = FileStorage.open(directory);
        return open(storage, keyCodec, valueCodec, options, events, Parking.LOCK_SUPPORT);
      } catch (Throwable failure) {
        events.close();
        throw failure;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot open the store in " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * The same over any storage, observed: the seam for simulated disks, traces and controlled
   * schedules.
   */
  static <K, V> OverlayTrie<K, V> open(
      Storage storage,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Options options,
      ProtocolEvents events,
      Parking parking)
      throws IOException {
    try {
      StoreIdentity identity =
          new StoreIdentity(
              keyCodec.name(), keyCodec.version(), valueCodec.name(), valueCodec.version());
      Replay replay = new Replay();
      WriteAheadLog log =
          WriteAheadLog.open(storage, identity, options.walSegmentBytes(), events, replay::apply);
      SequencedCommit commit = new SequencedCommit(replay.trie, log, events, parking);
      return new OverlayTrie<>(storage, keyCodec, valueCodec, events, commit);
    } catch (Throwable failure) {
      try {
        storage.close();
      } catch (IOException closing) {
        failure.addSuppressed(closing);
      }
      throw failure;
    }
  }

  /** Rebuilds the trie from the log's records. */
  private static final class Replay {
    private Trie trie = Trie.EMPTY;

    void apply(LogRecord record) {
      trie = record.applyTo(trie);
    }
  }

  /** The value of {@code key}, null if it is absent. Never waits. */
  @Override
  public V get(Object key) {
    byte[] value = commit.read(encodeKey(key));
    return value == null ? null : valueCodec.decode(value);
  }

  /** Whether {@code key} has a value. Never waits. */
  @Override
  public boolean containsKey(Object key) {
    return commit.read(encodeKey(key)) != null;
  }

  /** Sets {@code key} to {@code value} and returns what it held before, null if it was absent. */
  @Override
  public V put(K key, V value) {
    return write(OperationKind.PUT, encodeKey(key), null, encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code value} unless it is present; returns what it held, null if it was
   * absent.
   */
  @Override
  public V putIfAbsent(K key, V value) {
    return write(OperationKind.PUT_IF_ABSENT, encodeKey(key), null, encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code value} if it is present; returns what it held, null if it was
   * absent.
   */
  @Override
  public V replace(K key, V value) {
    return write(OperationKind.REPLACE, encodeKey(key), null, encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code newValue} if it holds {@code oldValue}; returns whether it did.
   * Values are compared by their encodings.
   */
  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    byte[] expected = encodeValue(oldValue, "oldValue");
    byte[] replacement = encodeValue(newValue, "newValue");
    return writeIf(OperationKind.REPLACE_IF, encodeKey(key), expected, replacement);
  }

  /** Removes {@code key}; returns what it held, null if it was absent. */
  @Override
  public V remove(Object key) {
    return write(OperationKind.REMOVE, encodeKey(key), null, null);
  }

  /**
   * Removes {@code key} if it holds {@code value}; returns whether it did. Values are compared by
   * their encodings.
   */
  @Override
  public boolean remove(Object key, Object value) {
    byte[] expected = encodeValue(castValue(value), "value");
    return writeIf(OperationKind.REMOVE_IF, encodeKey(key), expected, null);
  }

  private V write(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    byte[] previous = commit.write(new Operation(kind, key, expected, value));
    return previous == null ? null : valueCodec.decode(previous);
  }

  private boolean writeIf(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    return Operation.holds(commit.write(new Operation(kind, key, expected, value)), expected);
  }

  /** The number of entries, at most {@link Integer#MAX_VALUE}; O(1). Never waits. */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, commit.readAll().size());
  }

  /** Whether there is no entry; O(1). Never waits. */
  @Override
  public boolean isEmpty() {
    return commit.readAll().size() == 0;
  }

  /**
   * The entries in ascending order of keys. An iterator shows the map as it was when the iterator
   * was created; its {@code remove} and an entry's {@code setValue} write to the store.
   */
  @Override
  public Set<Entry<K, V>> entrySet() {
    return new EntrySet();
  }

  /**
   * Waits for the writes under way, then closes the store and gives up its directory; later calls
   * throw {@link IllegalStateException}. Idempotent. A store that is not closed loses nothing that
   * was acknowledged; closing lets the next open tell damage to the end of the log from a crash.
   *
   * @throws UncheckedIOException if the files could not be closed properly; nothing acknowledged is
   *     lost
   */
  @Override
  public void close() {
    try (events;
        storage) {
      commit.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing the store failed: " + e.getMessage(), e);
    }
  }

  /** For the checks of the invariants. */
  SequencedCommit commit() {
    return commit;
  }

  @SuppressWarnings(
      "unchecked") // as in every Map: a wrong type shows in the codec as ClassCastException
  private byte[] encodeKey(Object key) {
    byte[] bytes = keyCodec.encode((K) Objects.requireNonNull(key, "key"));
    return requireAtMost(LogRecord.MAX_KEY_BYTES, bytes, "key");
  }

  private byte[] encodeValue(V value, String name) {
    byte[] bytes = valueCodec.encode(Objects.requireNonNull(value, name));
    return requireAtMost(LogRecord.MAX_VALUE_BYTES, bytes, name);
  }

  @SuppressWarnings("unchecked") // as in encodeKey
  private V castValue(Object value) {
    return (V) value;
  }

  private static byte[] requireAtMost(int limit, byte[] bytes, String name) {
    if (bytes.length > limit) {
      throw new IllegalArgumentException(
          "the encoded "
              + name
              + " has "
              + bytes.length
              + " bytes; at most "
              + limit
              + " are allowed");
    }
    return bytes;
  }

  private final class EntrySet extends AbstractSet<Entry<K, V>> {
    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new EntryIterator(commit.readAll().cursor());
    }

    @Override
    public int size() {
      return OverlayTrie.this.size();
    }

    @Override
    public boolean contains(Object object) {
      return object instanceof Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && entry.getValue().equals(get(entry.getKey()));
    }

    @Override
    public boolean remove(Object object) {
      return object instanceof Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && OverlayTrie.this.remove(entry.getKey(), entry.getValue());
    }
  }

  private final class EntryIterator implements Iterator<Entry<K, V>> {
    private final TrieCursor cursor;
    private boolean hasNext;
    private K current;

    EntryIterator(TrieCursor cursor) {
      this.cursor = cursor;
      this.hasNext = cursor.next();
    }

    @Override
    public boolean hasNext() {
      return hasNext;
    }

    @Override
    public Entry<K, V> next() {
      if (!hasNext) {
        throw new NoSuchElementException();
      }
      K key = keyCodec.decode(cursor.key());
      V value = valueCodec.decode(cursor.value());
      hasNext = cursor.next();
      current = key;
      return new WriteThroughEntry(key, value);
    }

    @Override
    public void remove() {
      if (current == null) {
        throw new IllegalStateException("next() has not been called since the last remove()");
      }
      K key = current;
      current = null;
      OverlayTrie.this.remove(key);
    }
  }

  /** What an iterator saw; {@code setValue} also writes to the store. */
  private final class WriteThroughEntry extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    WriteThroughEntry(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      put(getKey(), value);
      return super.setValue(value);
    }
  }
}
