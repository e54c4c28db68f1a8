package org.overlaytrie.image;

import static org.overlaytrie.trie.Addresses.offset;
import static org.overlaytrie.trie.Addresses.segment;

import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.ProgressListener;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.NodeSource;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieVerifier;
import org.overlaytrie.trie.TrieWriter;

/**
 * The checkpoint image of one store: segments to which the records of nodes are appended. A
 * checkpoint is these steps, in this order; whatever comes between them takes nothing of what an
 * earlier one has made durable:
 *
 * <pre>
 *   root = write(trie)     the nodes without an address, children before parents
 *   force()                the records, then the directory entries of new segments
 *   install()              now the nodes know that they need not be written again
 *   the superblock         names the root, and nextSegment()
 * </pre>
 *
 * <p>Nothing is ever written over, and no number of a segment is used twice by images whose {@code
 * nextSegment} was kept. After an open, a failure or {@link #abandonWrite} the next write begins a
 * fresh segment, as nothing is known about the end of the one before. So an address denotes one
 * content for ever, and what lies behind an address that was made durable can be trusted or is
 * found to be damaged.
 *
 * <p><b>Threads.</b> Any number of threads may {@link #read}, {@link #load} and {@link #verify},
 * also while another writes; all calls that are about writing, and {@link #close}, are made by one
 * thread at a time.
 */
public final class Image implements NodeSource, AutoCloseable {
  /** The least and the greatest length of a segment, in bytes. */
  public static final int MIN_SEGMENT_BYTES = 1 << 16;

  public static final int MAX_SEGMENT_BYTES = 1 << 30;

  private final Storage storage;
  private final SegmentReaders readers;
  private final SegmentWriter writer;

  /** The write that is not installed yet; null if there is none. */
  private TrieWriter pending;

  private boolean forced;
  private boolean closed;

  private Image(Storage storage, RecordFraming framing, int segmentBytes, int nextSegment) {
    this.storage = storage;
    this.readers = new SegmentReaders(storage, framing);
    this.writer = new SegmentWriter(storage, framing, segmentBytes, nextSegment);
  }

  /**
   * The image in {@code storage}, whose segments are those below {@code nextSegment}. None is
   * looked at before it is needed, and none needs to exist. Segments from that number on are left
   * from checkpoints that no superblock names, and are replaced when their numbers are used.
   *
   * @param storeId the store; nothing of another is taken for this one's
   * @param segmentBytes the length at which a segment is left for the next one; a larger record
   *     gets a segment to itself
   * @param nextSegment the least number that may be used for a new segment, 1 in a new store
   */
  public static Image open(Storage storage, UUID storeId, int segmentBytes, int nextSegment) {
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(storeId, "storeId");
    if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "a segment has 64 KiB to 1 GiB, not " + segmentBytes + " bytes");
    }
    if (nextSegment < 1) {
      throw new IllegalArgumentException("segments count from 1, not " + nextSegment);
    }
    return new Image(storage, new RecordFraming(storeId), segmentBytes, nextSegment);
  }

  /**
   * The trie that was written with this root. Its root is read at once, all else when it is needed.
   * Errors as for {@link #read}.
   */
  public Trie load(Root root) {
    return Trie.stored(this, root);
  }

  /**
   * Reads and checks all that the trie with this root is made of, and finds all faults, for the
   * price of reading it once. Never writes, neither to the image nor to tries in memory.
   */
  public TrieVerifier.Report verify(Root root) {
    return TrieVerifier.verify(this, root);
  }

  /**
   * {@inheritDoc} A record that fits into 4 KiB takes one read, a larger one two.
   *
   * @throws CorruptStoreException naming the file, the place and what was expected there, if the
   *     record is damaged, not written for this place of this store, cut off, or its file missing
   * @throws org.overlaytrie.IncompatibleStoreException if the segment has another format
   */
  @Override
  public byte[] read(long address) {
    if (segment(address) < 1 || offset(address) < ImageHeader.BYTES) {
      throw damaged(address, "a record cannot lie here");
    }
    return readers.read(segment(address), offset(address));
  }

  @Override
  public CorruptStoreException damaged(long address, String expectation) {
    String name = StoreFiles.imageSegment(segment(address));
    return new CorruptStoreException(storage.locate(name), offset(address), expectation);
  }

  /**
   * Writes the nodes of {@code trie} that have no address: the time is that of what has changed
   * since the nodes of an earlier version were installed. The trie must be of this store. Nothing
   * is durable yet.
   *
   * @param listener is told how many of the trie's entries are done with
   * @return what to name in the superblock once the write is forced
   * @throws IOException if a segment cannot be written; then the write is abandoned, as it is by
   *     whatever else is thrown
   * @throws IllegalStateException if the write before was neither installed nor abandoned
   */
  public Root write(Trie trie, ProgressListener listener) throws IOException {
    return write(trie, TrieWriter.changes(writer, listener::written));
  }

  /**
   * Writes all nodes of {@code trie}, which may be of another store; it is not changed, and keeps
   * nothing of what is read for this. For the rest as {@link #write(Trie, ProgressListener)}; there
   * is no address to install, but only what is {@linkplain #install installed} is kept.
   */
  public Root copy(Trie trie, ProgressListener listener) throws IOException {
    return write(trie, TrieWriter.copy(writer, listener::written));
  }

  private Root write(Trie trie, TrieWriter trieWriter) throws IOException {
    requireOpen();
    if (pending != null) {
      throw new IllegalStateException("the write before was neither installed nor abandoned");
    }
    try {
      Root root = trieWriter.write(trie);
      pending = trieWriter;
      forced = false;
      return root;
    } catch (Throwable e) {
      abandonAfter(e);
      throw e;
    }
  }

  /**
   * Returns once all that was written is durable, and the directory entries of its segments.
   *
   * @throws IOException if that cannot be known; then the write is abandoned
   */
  public void force() throws IOException {
    requireOpen();
    try {
      writer.force();
      forced = true;
    } catch (Throwable e) {
      abandonAfter(e);
      throw e;
    }
  }

  /**
   * Keeps the last write, and gives its nodes their addresses, so that they are not written again.
   *
   * @throws IllegalStateException if there was no write, or it is not forced
   */
  public void install() {
    if (pending == null || !forced) {
      throw new IllegalStateException("there is no write that was forced");
    }
    pending.installAddresses();
    writer.keep();
    pending = null;
  }

  /**
   * Forgets a write that is not installed; its records stay as garbage. The next one begins a fresh
   * segment.
   */
  public void abandonWrite() throws IOException {
    pending = null;
    writer.abandon();
  }

  private void abandonAfter(Throwable failure) {
    try {
      abandonWrite();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** The least number that no segment has had: {@link #open} wants it next time. */
  public int nextSegment() {
    return writer.nextSegment();
  }

  /**
   * Lets go of the files of all segments below {@code segment}, once they are deleted: the space of
   * a file that is open does not become free. Any thread may call this, also while others read.
   */
  public void releaseBelow(int segment) throws IOException {
    readers.closeBelow(segment);
  }

  /** How many bytes were appended to segments since the image was opened. */
  public long bytesWritten() {
    return writer.bytesWritten();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the image is closed");
    }
  }

  /** Closes all files; what was not forced may be lost. Idempotent. */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      readers.close();
    } finally {
      abandonWrite();
    }
  }
}
