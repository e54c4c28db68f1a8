package org.overlaytrie;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.StackReserve;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreIdentity;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * A concurrent, ordered map that lives in a directory and survives {@code kill -9} and power loss.
 *
 * <p><b>Promise.</b> When a write returns, its effect is durable: it was forced to disk before.
 * Whatever any call returned, reads included, is never taken back by a crash; a write that had not
 * returned has either taken effect completely or not at all when the store is opened again. Single
 * operations are linearizable, and so is each of {@link #writeBatch}, {@link #removePrefix}, {@link
 * #clear} and {@link Transaction#commit}, however much it writes. All this is {@code
 * DurableMap.tla} in the specifications. What takes several writes ({@link #replaceAll}, {@code
 * removeIf}, a very large {@link #putAll}) makes each of them so and not their sum, and {@link
 * #pollFirstEntry} and {@link #pollLastEntry} say what they promise.
 *
 * <p><b>Order.</b> Entries are ordered by unsigned comparison of their encoded keys; {@link Codecs}
 * says what that means for each codec, and {@link #comparator} what it means for the keys. Sub
 * maps, descending maps and the collections of keys, values and entries are views: they show and
 * write the store, and those of views do the same.
 *
 * <p><b>Threads.</b> All methods may be called by any number of threads. Reads never wait. Writes
 * wait for a force of the log that concurrent writers share. Iterators, spliterators and streams
 * are weakly consistent: they show the map as it was when they were created, and never throw {@link
 * java.util.ConcurrentModificationException}. Spliterators report {@code SIZED}, therefore not
 * {@code CONCURRENT}, and split into exact halves. An interrupt neither harms the store nor ends a
 * wait; the flag stays set.
 *
 * <p><b>Cost.</b> Reads and writes take time proportional to the length of the encoded key,
 * whatever the size of the map. So do {@link #rankOf}, {@link #entryAt}, finding a neighbour or
 * either end, and counting the entries of a range, with a factor of at most 256 for the width of
 * the trie's branches. {@link #size()} is O(1). The whole map is kept in memory; opening reads the
 * whole log.
 *
 * <p><b>Limits.</b> An encoded key has at most 65,536 bytes, an encoded value at most 67,108,864
 * (64 MiB). Longer ones, and objects that a codec rejects, cause {@link IllegalArgumentException};
 * null keys or values cause {@link NullPointerException}. Nothing is changed then.
 *
 * <p><b>Errors.</b> {@link StoreFailedException} from a write after the log could not be written;
 * {@link IllegalStateException} after {@link #close()}, also when a view is used or an iterator
 * created; {@link ClassCastException} as in {@link Map} for objects of another type. A write needs
 * up to 100 KiB of the caller's stack, and causes {@link StackOverflowError} without having begun
 * if they are not left.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class OverlayTrie<K, V> extends WholeMapView<K, V>
    implements ConcurrentNavigableMap<K, V>, AutoCloseable {
  private final Storage storage;
  private final ProtocolEvents events;
  private final SequencedCommit commit;

  private OverlayTrie(
      Storage storage, Encoding<K, V> encoding, ProtocolEvents events, SequencedCommit commit) {
    super(new LiveSource(commit), encoding);
    this.storage = storage;
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
   * @throws IllegalArgumentException if a codec's name is not as {@link Codec#name} says, or the
   *     directory is not one of the default file system
   * @throws UncheckedIOException if the directory cannot be used: it is a file, not writable, or
   *     the disk fails
   */
  public static <K, V> OverlayTrie<K, V> open(
      Path directory, Codec<K> keyCodec, Codec<V> valueCodec, Options options) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(keyCodec, "keyCodec");
    Objects.requireNonNull(valueCodec, "valueCodec");
    Objects.requireNonNull(options, "options");
    if (directory.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "a store needs a directory of the default file system, and "
              + directory
              + " is one of "
              + directory.getFileSystem());
    }
    identityOf(keyCodec, valueCodec); // before the directory is touched
    StackReserve.require(); // what is begun here must be given up again, should it fail
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
      StoreIdentity identity = identityOf(keyCodec, valueCodec);
      Replay replay = new Replay();
      WriteAheadLog log =
          WriteAheadLog.open(storage, identity, options.walSegmentBytes(), events, replay::apply);
      SequencedCommit commit = new SequencedCommit(replay.trie, log, events, parking);
      Encoding<K, V> encoding = new Encoding<>(keyCodec, valueCodec);
      return new OverlayTrie<>(storage, encoding, events, commit);
    } catch (Throwable failure) {
      try {
        storage.close();
      } catch (IOException closing) {
        failure.addSuppressed(closing);
      }
      throw failure;
    }
  }

  private static StoreIdentity identityOf(Codec<?> keyCodec, Codec<?> valueCodec) {
    return new StoreIdentity(
        StoreIdentity.requireName(keyCodec.name(), "the key codec"),
        keyCodec.version(),
        StoreIdentity.requireName(valueCodec.name(), "the value codec"),
        valueCodec.version());
  }

  /** Rebuilds the trie from the log's records. */
  private static final class Replay {
    private Trie trie = Trie.EMPTY;

    void apply(LogRecord record) {
      trie = record.applyTo(trie);
    }
  }

  /**
   * The map as it is now, to be read for as long as it is wanted: a reader of it sees what a reader
   * of this map would see at this moment, and nothing that is written later. Never waits.
   *
   * <p>O(1): nothing is copied. What the snapshot keeps in memory is what was removed or replaced
   * since, until it is closed or garbage.
   */
  public Snapshot<K, V> snapshot() {
    return new Snapshot<>(commit, encoding);
  }

  /**
   * Makes several writes as one. {@code writes} says which; it is called once, by this thread, and
   * the batch that it is given is of no use afterwards. If it throws, nothing is written.
   *
   * <p>Atomic: readers and recovery see all of the writes or none. Cost: one write of the log, and
   * one force that others may share, for all of them. A batch that changes nothing writes nothing.
   *
   * @throws IllegalArgumentException from the batch, if it would become larger than 128 MiB
   */
  public void writeBatch(Consumer<? super Batch<K, V>> writes) {
    Objects.requireNonNull(writes, "writes");
    Batch<K, V> batch = new Batch<>(encoding);
    Operation operation;
    try {
      writes.accept(batch);
    } finally {
      operation = batch.end();
    }
    source.write(operation);
  }

  /**
   * Begins a transaction that reads what is visible now, and whose writes replace whatever others
   * have written when it commits. O(1). Never waits.
   */
  public Transaction<K, V> begin() {
    return new Transaction<>(source, encoding, false);
  }

  /**
   * Begins a transaction that commits only if all that it read still holds then: see {@link
   * TransactionConflictException}. O(1). Never waits.
   */
  public Transaction<K, V> beginValidated() {
    return new Transaction<>(source, encoding, true);
  }

  /**
   * Removes all keys whose encodings begin with the encoding of {@code prefix}, as one write, like
   * {@link #clear}. For keys that are strings or byte arrays these are the keys that begin with
   * {@code prefix}, itself included; for other codecs see how they encode.
   */
  public void removePrefix(K prefix) {
    writeBatch(batch -> batch.removePrefix(prefix));
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
  @SuppressWarnings("try") // the directory is only to be given up
  public void close() {
    StackReserve.require();
    try (Closeable directory = this::giveUpDirectory) {
      commit.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing the store failed: " + e.getMessage(), e);
    }
  }

  /**
   * Unless another thread may still write the log, since an {@link Error} ended the closing before
   * its time: then the store keeps its directory until it is closed once more.
   */
  private void giveUpDirectory() throws IOException {
    if (commit.isLogLeft()) {
      try (events;
          storage) {
        // Both are closed, whatever becomes of the other.
      }
    }
  }

  /** For the checks of the invariants. */
  SequencedCommit commit() {
    return commit;
  }

  /** What the views read and write. */
  private static final class LiveSource implements EntrySource {
    private final SequencedCommit commit;

    LiveSource(SequencedCommit commit) {
      this.commit = commit;
    }

    @Override
    public Trie content() {
      return commit.readAll();
    }

    @Override
    public byte[] read(byte[] key) {
      return commit.read(key);
    }

    @Override
    public void requireWritable() {}

    @Override
    public byte[] write(Operation operation) {
      return commit.write(operation);
    }

    @Override
    public byte[] decide(Function<Trie, Operation> decision) {
      commit.requireOpen(); // a decision is not asked for once the store is closed
      return commit.decide(decision);
    }
  }
}
