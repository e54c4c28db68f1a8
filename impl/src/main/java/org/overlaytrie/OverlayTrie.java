package org.overlaytrie;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.overlaytrie.checkpoint.Backup;
import org.overlaytrie.checkpoint.Checkpoints;
import org.overlaytrie.checkpoint.Recovery;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.StackReserve;
import org.overlaytrie.commit.Version;
import org.overlaytrie.image.Image;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.StoreIdentity;

/**
 * A concurrent, ordered map that lives in a directory and survives {@code kill -9} and power loss.
 *
 * <p><b>Promise.</b> This is what {@link Durability#SYNC} and {@link Durability#group} promise;
 * {@link Durability} says what the others do. When a write returns, its effect is durable: it was
 * forced to disk before. Whatever any call returned, reads included, is never taken back by a
 * crash; a write that had not returned has either taken effect completely or not at all when the
 * store is opened again. Single operations are linearizable, and so is each of {@link #writeBatch},
 * {@link #removePrefix}, {@link #clear}, {@link #mergeFrom} and {@link Transaction#commit}, however
 * much it writes. All this is {@code DurableMap.tla} in the specifications. What takes several
 * writes ({@link #replaceAll}, {@code removeIf}, {@link #putAllSorted}, {@link #mergeFromInChunks},
 * a very large {@link #putAll}) makes each of them so and not their sum, and {@link
 * #pollFirstEntry} and {@link #pollLastEntry} say what they promise.
 *
 * <p><b>Order.</b> Entries are ordered by unsigned comparison of their encoded keys; {@link Codecs}
 * says what that means for each codec, and {@link #comparator} what it means for the keys. Sub
 * maps, descending maps and the collections of keys, values and entries are views: they show and
 * write the store, and those of views do the same.
 *
 * <p><b>Threads.</b> All methods may be called by any number of threads. Reads wait for nobody's
 * write; what has to be loaded they read from disk. With {@link Durability#SYNC} and {@link
 * Durability#group} writes wait for a force of the log that concurrent writers share; otherwise
 * only while too much is not durable. Iterators, spliterators and streams are weakly consistent:
 * they show the map as it was when they were created, and never throw {@link
 * java.util.ConcurrentModificationException}. Spliterators report {@code SIZED}, therefore not
 * {@code CONCURRENT}, and split into exact halves. An interrupt neither harms the store nor ends a
 * wait; the flag stays set.
 *
 * <p><b>Cost.</b> Reads and writes take time proportional to the length of the encoded key,
 * whatever the size of the map. So do {@link #rankOf}, {@link #entryAt}, finding a neighbour or
 * either end, and counting the entries of a range, with a factor of at most 256 for the width of
 * the trie's branches. {@link #size()} is O(1). Opening reads the log behind the last {@linkplain
 * #checkpoint checkpoint}, whatever the size of the map; what the checkpoint holds is loaded when
 * it is first needed, one small read for each branch on the way to a key, and then stays in memory.
 *
 * <p><b>Limits.</b> An encoded key has at most 65,536 bytes, an encoded value at most 67,108,864
 * (64 MiB). Longer ones, and objects that a codec rejects, cause {@link IllegalArgumentException};
 * null keys or values cause {@link NullPointerException}. Nothing is changed then.
 *
 * <p><b>Errors.</b> {@link StoreFailedException} from a write after the log could not be written;
 * {@link CheckpointFailedException} from a write that would exceed the limit of the log while no
 * checkpoint succeeds; {@link CorruptStoreException} or {@link UncheckedIOException} from whatever
 * first needs a part of the image that is damaged or cannot be read, and nothing has happened then;
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
  private final Image image;
  private final SequencedCommit commit;
  private final Checkpoints checkpoints;
  private final LiveSource live;
  private final StoreIdentity identity;
  private final Options options;

  private OverlayTrie(
      Recovery recovery,
      Encoding<K, V> encoding,
      LiveSource live,
      StoreIdentity identity,
      Options options) {
    super(live, encoding);
    this.identity = identity;
    this.options = options;
    this.live = live;
    this.storage = recovery.storage();
    this.events = recovery.events();
    this.image = recovery.image();
    this.commit = recovery.commit();
    this.checkpoints = recovery.checkpoints();
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
   * <p>Cost: one pass over the log, which {@link CheckpointPolicy} bounds, and a few forces.
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
    Objects.requireNonNull(keyCodec, "keyCodec");
    Objects.requireNonNull(valueCodec, "valueCodec");
    Objects.requireNonNull(options, "options");
    requireDefaultFileSystem(directory);
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
      Recovery recovery = Recovery.recover(storage, identity, options, events, parking);
      Encoding<K, V> encoding = new Encoding<>(keyCodec, valueCodec);
      LiveSource live = new LiveSource(recovery.commit(), recovery.checkpoints());
      OverlayTrie<K, V> store = new OverlayTrie<>(recovery, encoding, live, identity, options);
      recovery.commit().start();
      return store;
    } catch (Throwable failure) {
      try {
        storage.close();
      } catch (IOException closing) {
        failure.addSuppressed(closing);
      }
      throw failure;
    }
  }

  static void requireDefaultFileSystem(Path directory) {
    Objects.requireNonNull(directory, "directory");
    if (directory.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "a store needs a directory of the default file system, and "
              + directory
              + " is one of "
              + directory.getFileSystem());
    }
  }

  private static StoreIdentity identityOf(Codec<?> keyCodec, Codec<?> valueCodec) {
    return new StoreIdentity(
        StoreIdentity.requireName(keyCodec.name(), "the key codec"),
        keyCodec.version(),
        StoreIdentity.requireName(valueCodec.name(), "the value codec"),
        valueCodec.version());
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
    source.write(collect(writes));
  }

  private Operation collect(Consumer<? super Batch<K, V>> writes) {
    Objects.requireNonNull(writes, "writes");
    Batch<K, V> batch = new Batch<>(encoding);
    Operation operation;
    try {
      writes.accept(batch);
    } finally {
      operation = batch.end();
    }
    return operation;
  }

  /**
   * Waits until every write that had returned when this was called is durable, and whatever any
   * read had seen: from then on no crash takes it. With {@link Durability#SYNC} that is so already.
   * Cost: a force, that others may share; none if there is nothing to make durable.
   *
   * @throws StoreFailedException if that cannot be had
   */
  public void sync() {
    commit.sync();
  }

  /**
   * {@link #sync} without waiting: the stage is completed, with null, once everything is durable
   * that {@code sync()} would wait for. It is how to learn, where writes do not wait, that one has
   * become durable. As for {@link #putAsync} otherwise.
   */
  public CompletionStage<Void> syncAsync() {
    return commit.syncLater();
  }

  /**
   * {@link #put} without waiting: the write has its place in the order of all writes when this
   * returns, and the stage is completed, with what the key held before, when {@code put} would
   * return: once it is durable, and readers see it. Where writes do not wait ({@link Durability}),
   * the stage is complete at once, and {@link #syncAsync} tells when it is durable.
   *
   * <p>This, {@link #removeAsync}, {@link #computeAsync} and {@link #writeBatchAsync} are the
   * writes that have such a variant: one each for writing blindly, for writing what depends on the
   * value, and for several writes at once. What the other methods do, {@code computeAsync} can.
   *
   * <p><b>Order.</b> Writes of one thread take effect, and their stages are completed, in the order
   * of its calls.
   *
   * <p><b>Back-pressure.</b> At most {@link Options#asyncLimit} stages are incomplete at a time; a
   * caller beyond that waits until one is completed. So does a caller who finds the log beyond its
   * limit, for a checkpoint; if that fails, this method throws {@link CheckpointFailedException}.
   * An interrupt does not end the wait; the flag stays set.
   *
   * <p><b>Errors.</b> What is wrong with the arguments, and that the store is closed, is thrown by
   * this method. If the store fails, the stage is completed with a {@link StoreFailedException};
   * after {@link #close} every stage has been completed, or is about to be.
   *
   * <p><b>Threads.</b> Stages are completed by a thread of the store, which runs what depends on
   * them ({@code thenRun}, {@code thenApply}, ...) unless that was given to another executor
   * ({@code thenRunAsync}, ...). What throws there has the consequences that {@link
   * CompletionStage} tells, and none for the store. What blocks there holds up the stages behind
   * it, and with them in time callers of these methods; not other calls. It may write to the store,
   * and what it writes with these methods does not count for the limit.
   */
  public CompletionStage<V> putAsync(K key, V value) {
    byte[] bytes = encoding.encodeKey(key);
    return decideLater(OperationKind.PUT, bytes, encoding.encodeValue(value, "value"));
  }

  /** {@link #remove(Object)} without waiting, as {@link #putAsync} does. */
  public CompletionStage<V> removeAsync(K key) {
    return decideLater(OperationKind.REMOVE, encoding.encodeKey(key), null);
  }

  private CompletionStage<V> decideLater(OperationKind kind, byte[] key, byte[] value) {
    Decision<V> decision = decision(new Operation(kind, key, null, value));
    return live.decideLater(decision, decision::result);
  }

  /**
   * {@link #compute} without waiting, as {@link #putAsync} does. The function is called by this
   * thread before this returns; if it throws, the stage is completed with what it threw.
   */
  public CompletionStage<V> computeAsync(
      K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    Update<K, V> update =
        new Update<>(encoding, encoding.encodeKey(key), value -> function.apply(key, value));
    return live.decideLater(update, update::result);
  }

  /**
   * {@link #writeBatch} without waiting, as {@link #putAsync} does; the stage is completed with
   * null. {@code writes} is called by this thread before this returns, and what it throws is
   * thrown.
   */
  public CompletionStage<Void> writeBatchAsync(Consumer<? super Batch<K, V>> writes) {
    Operation operation = collect(writes);
    return live.decideLater(tip -> operation, () -> null);
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
   * The keys, as a set to which keys can be added: they are mapped to {@code mappedValue} if they
   * are absent, and the set says whether they were. With {@link Codecs#unit} for the values, {@code
   * navigableKeySet(true)} is a durable set. Otherwise it is the view that {@link #navigableKeySet}
   * is, and its sub sets and the descending set take keys too; each added key is one write, and so
   * it is with {@code addAll}.
   */
  public NavigableSet<K> navigableKeySet(V mappedValue) {
    return new KeySetView<>(this, Objects.requireNonNull(mappedValue, "mappedValue"));
  }

  /** As {@link #putAllSorted(Iterator, ProgressListener)}, with nobody listening. */
  public void putAllSorted(Iterator<? extends Entry<? extends K, ? extends V>> entries) {
    putAllSorted(entries, done -> {});
  }

  /**
   * Puts all entries, whose keys must come in strictly ascending order of this map: the fast way to
   * load many, and one for more than fit into memory twice.
   *
   * <p>They are written in chunks of at most 4,096 entries and 1 MiB of encodings, or of one larger
   * entry. Each chunk is one write: atomic, one record of the log and one force; all of them
   * together are not. What the map already holds is not written again. A chunk is built into a trie
   * from the bottom up, in time proportional to its size, and merged with the map as a whole: where
   * its keys lie beyond all others, or in gaps between them, the cost does not depend on the size
   * of the map. No more than one chunk is held beside the map, and nothing is locked while the
   * iterator is asked, so it may read and write this map.
   *
   * <p>If a key is out of order, or the iterator, a codec or the listener throws, the chunks
   * written so far stay, and of the one begun nothing is written. They hold the first entries, as
   * many as {@code listener} was last told.
   *
   * @param listener is told how many entries are put, after each chunk
   * @throws IllegalArgumentException if a key is not greater than the one before; names both
   */
  public void putAllSorted(
      Iterator<? extends Entry<? extends K, ? extends V>> entries, ProgressListener listener) {
    Objects.requireNonNull(entries, "entries");
    commit.requireOpen();
    BulkWrite.puts(source, encoding, listener).putAllSorted(entries);
  }

  /** As {@link #mergeFrom(Snapshot, BinaryOperator, ProgressListener)}, with nobody listening. */
  public void mergeFrom(Snapshot<K, V> other, BinaryOperator<V> onConflict) {
    mergeFrom(other, onConflict, done -> {});
  }

  /**
   * Puts all entries of {@code other}, a snapshot of this or of another store with the same codecs,
   * as one write: readers and recovery see all of it or nothing. Where this map has another value
   * for a key, by its encoding, the value becomes {@code onConflict.apply(this map's, other's)},
   * and null removes the key, as in {@link #merge}. Keys that only this map has stay.
   *
   * <p>{@code onConflict} is not asked where both have the same value, so it should choose or join
   * values in a way that makes no difference then. It is called as the function of {@link #compute}
   * is: maybe more than once for a key, with values that may not be durable yet; and by several
   * threads at a time, without any lock. If it throws, nothing is changed.
   *
   * <p>Cost: subtrees that only one of the two has, or that both share as snapshots of this map do,
   * become part of the result as they are; only where both have entries of their own is the trie
   * built anew, on the threads of {@link java.util.concurrent.ForkJoinPool#commonPool} too if it is
   * large. What this map did not hold before is encoded for the log, in a buffer of that size. If
   * others write meanwhile, what they wrote is merged again, and no more; while they outrun the
   * merge again and again, each of their writes is made to wait 2 ms. The nodes of another store's
   * snapshot are copied first, which reads those that are not in memory.
   *
   * @param listener is told the size of {@code other}, once, if that is not 0
   * @throws IllegalArgumentException if {@code other} has other codecs, or if the change would be
   *     larger than 128 MiB: {@link #mergeFromInChunks} has no limit
   */
  public void mergeFrom(
      Snapshot<K, V> other, BinaryOperator<V> onConflict, ProgressListener listener) {
    commit.requireOpen();
    encoding.requireSame(other.encoding);
    Trie theirs = other.source.content();
    BulkWrite.merges(source, encoding, onConflict, listener)
        .mergeFrom(other.isOf(commit) ? theirs : theirs.detached());
  }

  /** As the {@link #mergeFromInChunks(Snapshot, BinaryOperator, ProgressListener) other}. */
  public void mergeFromInChunks(Snapshot<K, V> other, BinaryOperator<V> onConflict) {
    mergeFromInChunks(other, onConflict, done -> {});
  }

  /**
   * Does as {@link #mergeFrom(Snapshot, BinaryOperator, ProgressListener)}, but in chunks, in the
   * order of the keys, as {@link #putAllSorted(Iterator, ProgressListener)}: for snapshots of any
   * size, with the memory for one chunk. Each chunk is atomic, all of them together are not.
   *
   * <p>Keys for which the two have the same value when the call begins are passed over, whatever
   * others write meanwhile. {@code onConflict} is called by this thread. If it throws, nothing of
   * that chunk is changed, and the chunks before stay. A chunk of which it makes more than 128 MiB
   * is written in several.
   *
   * @param listener is told after each chunk how many of {@code other}'s entries are merged, and in
   *     the end its size
   * @throws IllegalArgumentException if {@code other} has other codecs
   */
  public void mergeFromInChunks(
      Snapshot<K, V> other, BinaryOperator<V> onConflict, ProgressListener listener) {
    commit.requireOpen();
    encoding.requireSame(other.encoding);
    BulkWrite.merges(source, encoding, onConflict, listener)
        .mergeFromInChunks(other.source.content(), other.isOf(commit));
  }

  /**
   * Waits until a checkpoint is durable that holds everything that was written before this call:
   * from then on opening needs no more of the log than what follows, and the log before it is given
   * back. Writers go on meanwhile. If another thread is making one, this waits for it, and makes
   * another only if that one began too early. {@link CheckpointPolicy} says when the store does so
   * by itself.
   *
   * <p>Cost: proportional to the number of nodes that were changed since the last checkpoint, and
   * three forces; nothing is written if nothing was changed. All nodes on the way to a changed
   * entry are changed, and short neighbours in the same node are written with it.
   *
   * @throws CheckpointFailedException if it could not be written; the store works on
   * @throws StoreFailedException if the store has failed, or fails meanwhile
   */
  public void checkpoint() {
    checkpoints.checkpoint();
  }

  /** As {@link #backupTo(Path, ProgressListener)}, with nobody listening. */
  public void backupTo(Path directory) {
    backupTo(directory, done -> {});
  }

  /**
   * Writes a store to {@code directory} that opens, with the same codecs, to what this map holds at
   * one moment between call and return: all that had returned before the call is in it. It is
   * durable when this returns. It is a store of its own: what is done to either does not touch the
   * other.
   *
   * <p>Others read and write meanwhile; the directory is locked. If this fails, what it wrote is
   * deleted as far as possible. What stays then, or if the process is killed, does not open: delete
   * it.
   *
   * <p>Cost: everything is read that is not in memory, without keeping it there, and all is written
   * once; three forces, and one for each file of the image. What the store replaces meanwhile stays
   * in memory until this returns.
   *
   * @param directory an empty directory, or one to be created, with its parents
   * @param listener is told how many entries are written; in the end all, unless there are none.
   *     They are not durable before this returns
   * @throws IncompatibleStoreException if the directory holds anything
   * @throws StoreLockedException if a store, or another backup, has it
   * @throws IllegalArgumentException if the directory is not one of the default file system
   * @throws CorruptStoreException if what must be read of this store is damaged: {@link
   *     StoreCheck#salvage} saves the rest
   * @throws UncheckedIOException if this store cannot be read, or the directory not be written
   * @throws IllegalStateException if this store is closed, or is being closed
   */
  public void backupTo(Path directory, ProgressListener listener) {
    Objects.requireNonNull(listener, "listener");
    requireDefaultFileSystem(directory);
    commit.requireOpen();
    try (Storage target = FileStorage.openEmpty(directory)) {
      backupTo(target, listener);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the backup to " + directory + " failed: " + e.getMessage(), e);
    }
  }

  /** The same to any storage, which must be empty. */
  void backupTo(Storage target, ProgressListener listener) throws IOException {
    Version version = commit.readVersion();
    Backup.write(target, identity, version.trie(), version.lsn(), options, listener);
  }

  /** How checkpoints are getting on. Never waits. */
  public CheckpointStatus checkpointStatus() {
    return checkpoints.status();
  }

  /**
   * Waits for the writes under way, makes everything durable, then closes the store and gives up
   * its directory; later calls throw {@link IllegalStateException}. Idempotent. A store that is not
   * closed loses no more than its {@link Durability} lets a crash take: nothing that any call has
   * returned, or what came after the last {@link #sync}. Closing also lets the next open tell
   * damage to the end of the log from a crash.
   *
   * @throws UncheckedIOException if the files could not be closed properly; what was durable stays
   *     so
   * @throws StoreFailedException if writes do not wait and some that have returned could not be
   *     made durable; the store is closed all the same
   */
  @Override
  @SuppressWarnings("try") // the directory is only to be given up
  public void close() {
    StackReserve.require();
    try (Closeable directory = this::giveUpDirectory) {
      checkpoints.end();
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
          storage;
          image) {
        // All are closed, whatever becomes of the others.
      }
    }
  }

  /** For the checks of the invariants. */
  SequencedCommit commit() {
    return commit;
  }

  /** For tests of what writes to the store. */
  Checkpoints checkpoints() {
    return checkpoints;
  }
}
