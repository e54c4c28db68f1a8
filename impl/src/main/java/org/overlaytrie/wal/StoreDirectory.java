package org.overlaytrie.wal;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * The files of a store as a whole: which there are, how a store comes into being, how recovery
 * makes durable what it found, and which of them a checkpoint makes superfluous.
 *
 * <p>A store is created in this order, each step durable before the next: segment 1, superblock,
 * first frame. So a directory with a valid superblock holds a store, and one without it holds at
 * most a first segment without frames.
 */
public final class StoreDirectory {

  private final Storage storage;
  private final int segmentBytes;
  private final ProtocolEvents events;
  private final int firstSegment;
  private final int lastSegment;
  private final Superblock superblock;

  /** Whether the other slot is not valid. */
  private final boolean alone;

  /** Whether the newest slot was left alone for that reason. */
  private boolean spared;

  private final SuperblockSlots slots;
  private final RetainedSegments segments;

  private StoreDirectory(
      Storage storage,
      int segmentBytes,
      ProtocolEvents events,
      Superblock superblock,
      boolean alone,
      NavigableSet<Integer> numbers) {
    this.alone = alone;
    this.segmentBytes = segmentBytes;
    this.storage = storage;
    this.events = events;
    this.superblock = superblock;
    this.lastSegment = numbers.isEmpty() ? 0 : numbers.last();
    this.firstSegment = firstOfLastRun(numbers);
    this.slots = new SuperblockSlots(storage, superblock, events);
    this.segments = new RetainedSegments(storage, events);
  }

  /**
   * Finds the store in {@code storage}, or creates one if there is none.
   *
   * @param segmentBytes the size of new segments of the log, {@link
   *     WriteAheadLog#MIN_SEGMENT_BYTES} to {@link WriteAheadLog#MAX_SEGMENT_BYTES}; existing ones
   *     keep theirs
   * @throws CorruptStoreException if files are missing or the superblock is damaged beyond use
   * @throws org.overlaytrie.IncompatibleStoreException if the store has other codecs or another
   *     format, or if the directory holds other files and no store
   */
  public static StoreDirectory open(
      Storage storage, StoreIdentity identity, int segmentBytes, ProtocolEvents events)
      throws IOException {
    return open(storage, identity, segmentBytes, events, StoreDirectory::randomStoreId);
  }

  static StoreDirectory open(
      Storage storage,
      StoreIdentity identity,
      int segmentBytes,
      ProtocolEvents events,
      Supplier<UUID> newStoreId)
      throws IOException {
    if (segmentBytes < WriteAheadLog.MIN_SEGMENT_BYTES
        || segmentBytes > WriteAheadLog.MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException("segment size out of range: " + segmentBytes);
    }
    Collection<String> names = storage.list();
    StoreFiles.requireStoreOrEmpty(names, storage.locate(""));
    NavigableSet<Integer> numbers = segmentNumbers(names);
    Superblock[] slots =
        names.contains(StoreFiles.SUPERBLOCK)
            ? Superblock.readSlots(storage)
            : new Superblock[Superblock.SLOTS];
    Superblock superblock = Superblock.newest(slots);
    if (superblock == null) {
      requireInterruptedCreation(storage, names, numbers);
      create(storage, Superblock.ofNewStore(newStoreId.get(), identity), segmentBytes);
      return open(storage, identity, segmentBytes, events, newStoreId);
    }
    superblock.requireIdentity(identity, storage.locate(StoreFiles.SUPERBLOCK));
    boolean alone = slots[0] == null || slots[1] == null;
    return new StoreDirectory(storage, segmentBytes, events, superblock, alone, numbers);
  }

  /** The store that {@code superblock} leads to, to be read and not written. */
  static StoreDirectory toRead(
      Storage storage, Superblock superblock, NavigableSet<Integer> numbers) {
    return new StoreDirectory(storage, 0, ProtocolEvents.NONE, superblock, false, numbers);
  }

  static UUID randomStoreId() {
    SecureRandom random = new SecureRandom();
    return new UUID(random.nextLong(), random.nextLong());
  }

  static NavigableSet<Integer> segmentNumbers(Collection<String> names) {
    NavigableSet<Integer> numbers = new TreeSet<>();
    names.forEach(name -> StoreFiles.segmentNumber(name).ifPresent(numbers::add));
    return numbers;
  }

  /** The first segment of those that the last one has before it without a gap. */
  private static int firstOfLastRun(NavigableSet<Integer> numbers) {
    int first = numbers.isEmpty() ? 1 : numbers.last();
    while (numbers.contains(first - 1)) {
      first--;
    }
    return first;
  }

  /**
   * Without a superblock there may be nothing but a first segment, from LSN 1 on, to which no frame
   * was written. An image is written after the superblock of the store, or after the empty one of a
   * copy.
   */
  static void requireInterruptedCreation(
      Storage storage, Collection<String> names, Set<Integer> segments) throws IOException {
    boolean interrupted =
        segments.isEmpty()
            ? !names.contains(StoreFiles.SUPERBLOCK)
            : segments.equals(Set.of(1)) && holdsNoFrame(storage);
    if (!interrupted
        || names.stream().anyMatch(name -> StoreFiles.imageSegmentNumber(name).isPresent())) {
      throw new CorruptStoreException(
          storage.locate(StoreFiles.SUPERBLOCK),
          0,
          "expected a superblock with at least one valid slot, since the directory holds a store, or"
              + " what an interrupted backup left, which is of no use");
    }
  }

  /** Whether segment 1 is all zeros behind the header, as it is created, and not that of a copy. */
  private static boolean holdsNoFrame(Storage storage) throws IOException {
    try (SegmentInput segment = SegmentInput.open(storage, 1)) {
      SegmentHeader header = SegmentHeader.read(segment);
      if (header != null && header.firstLsn() > 1) {
        return false;
      }
      for (long at = SegmentHeader.BYTES; at < segment.size; at++) {
        if (segment.getByte(at) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private static void create(Storage storage, Superblock superblock, int segmentBytes)
      throws IOException {
    UUID storeId = superblock.storeId();
    LogSegment.create(storage, SegmentHeader.ofFirst(storeId, 1, segmentBytes)).close();
    try (StorageFile file =
        storage.create(StoreFiles.SUPERBLOCK, Superblock.SLOTS * (long) Superblock.SLOT_BYTES)) {
      superblock.write(file);
      file.force(); // its directory entry follows, see makeDurable
    }
  }

  /** The number that tells this store from all others. */
  public UUID storeId() {
    return superblock.storeId();
  }

  /** The newest checkpoint that is durable; after the store was opened, what it was found with. */
  public Checkpoint checkpoint() {
    return slots.newest().checkpoint();
  }

  /**
   * Publishes a checkpoint. Its image must be durable, and so must be the records that it covers.
   * One call at a time.
   */
  public void publish(Checkpoint checkpoint) throws IOException {
    slots.publish(checkpoint);
  }

  /**
   * Makes the newest checkpoint the one of both slots, and deletes what of the log it leaves no
   * need for. One call at a time.
   */
  public void reclaimLog() throws IOException {
    slots.nameInBoth();
    segments.reclaim(slots.reclaimBound());
  }

  /** Whether both slots name the newest checkpoint, so that the log up to there is not needed. */
  public boolean eitherSlotSuffices() {
    return slots.agree();
  }

  /**
   * Whether the log takes more bytes of disk, and would take less after a checkpoint: of the
   * segment being written alone nothing can be given back.
   */
  public boolean isLogBeyond(long limitBytes) {
    return segments.bytes() > limitBytes && segments.several();
  }

  /** How many bytes of disk the log takes. */
  public long logBytes() {
    return segments.bytes();
  }

  /** The newest superblock when the store was opened. */
  Superblock superblock() {
    return superblock;
  }

  Storage storage() {
    return storage;
  }

  int segmentBytes() {
    return segmentBytes;
  }

  ProtocolEvents events() {
    return events;
  }

  SuperblockSlots slots() {
    return slots;
  }

  RetainedSegments segments() {
    return segments;
  }

  /** The number of the segment that the log, as far as it is still there, begins with. */
  int firstSegment() {
    return firstSegment;
  }

  /** The greatest number of a segment, maybe of one that was made ready and not used. */
  int lastSegment() {
    return lastSegment;
  }

  /**
   * Makes durable what recovery is about to believe. Reading it is no proof that it is durable: a
   * process killed before its force leaves it in the operating system's cache, and a force that
   * failed may have left it there for good, marked as written; therefore it is written once more,
   * byte for byte, before it is forced. What later frames prove durable is left alone.
   *
   * <p>The same goes for the superblock: the next claim will go over the other slot. Unless that is
   * not valid: then this slot is all there is, and must not be touched before the claim is durable.
   *
   * <p>The directory is forced too, for the deletions that an earlier process may not have come to
   * force.
   */
  @Upholds("SequencedCommit!NoLostWriteInv")
  @Upholds("WatermarkReclamation!RetainedIsContiguousInv")
  void makeDurable(LogEnd end) throws IOException {
    for (int number = end.firstUnproven().segment(); number <= end.segment().number(); number++) {
      boolean first = number == end.firstUnproven().segment();
      boolean last = number == end.segment().number();
      rewrite(
          StoreFiles.segment(number),
          first ? end.firstUnproven().offset() : 0,
          // a seal is the only frame that can be unproven in a segment that is not the last
          last ? end.offset() : end.firstUnproven().offset() + Frame.HEADER_BYTES);
    }
    // a store that was never opened has nothing yet that a slot must lead to
    spared = alone && end.incarnation() > 0;
    if (!spared) {
      slots.rewrite();
    }
    storage.forceDirectory();
  }

  /**
   * Claims what is durable for the first time in this life. A slot that was spared when the log was
   * made durable is written now that the other one is.
   */
  @Upholds("WatermarkReclamation!EitherSlotSufficesInv")
  void claimAtOpen(long incarnation, long lsn) throws IOException {
    slots.claim(incarnation, lsn);
    if (spared) {
      slots.claim(incarnation, lsn);
    }
  }

  private void rewrite(String name, long from, long to) throws IOException {
    byte[] buffer = new byte[(int) Math.min(1 << 16, to - from)];
    try (StorageFile file = storage.open(name)) {
      for (long at = from; at < to; at += buffer.length) {
        int length = (int) Math.min(buffer.length, to - at);
        file.read(at, buffer, 0, length);
        file.write(at, buffer, 0, length);
      }
      file.force();
    }
  }
}
