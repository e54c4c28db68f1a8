package org.overlaytrie.wal;

import java.io.IOException;
import java.util.Collection;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * The files of a store as a whole: which there are, how a store comes into being, and how recovery
 * makes durable what it found.
 *
 * <p>A store is created in this order, each step durable before the next: segment 1, superblock,
 * first frame. So a directory with a valid superblock holds a store, and one without it holds at
 * most a first segment without frames.
 */
final class StoreDirectory {

  private final Storage storage;
  private final int segmentCount;
  private final Superblock superblock;

  private StoreDirectory(Storage storage, int segmentCount, Superblock superblock) {
    this.storage = storage;
    this.segmentCount = segmentCount;
    this.superblock = superblock;
  }

  /**
   * Finds the store in {@code storage}, or creates one if there is none.
   *
   * @throws CorruptStoreException if files are missing or the superblock is damaged beyond use
   */
  static StoreDirectory open(
      Storage storage, StoreIdentity identity, int segmentBytes, Supplier<UUID> newStoreId)
      throws IOException {
    Collection<String> names = storage.list();
    StoreFiles.requireStoreOrEmpty(names, storage.locate(""));
    int segmentCount = countSegments(storage, names);
    Superblock superblock = names.contains(StoreFiles.SUPERBLOCK) ? Superblock.read(storage) : null;
    if (superblock == null) {
      requireInterruptedCreation(storage, names, segmentCount);
      create(storage, Superblock.ofNewStore(newStoreId.get(), identity), segmentBytes);
      return open(storage, identity, segmentBytes, newStoreId);
    }
    superblock.requireIdentity(identity, storage.locate(StoreFiles.SUPERBLOCK));
    return new StoreDirectory(storage, segmentCount, superblock);
  }

  private static int countSegments(Storage storage, Collection<String> names) {
    TreeSet<Integer> numbers = new TreeSet<>();
    names.forEach(name -> StoreFiles.segmentNumber(name).ifPresent(numbers::add));
    int count = 0;
    for (int number : numbers) {
      if (number != ++count) {
        throw new CorruptStoreException(
            storage.locate(StoreFiles.segment(count)),
            0,
            "expected this file, since " + StoreFiles.segment(number) + " exists; it is missing");
      }
    }
    return count;
  }

  /**
   * Without a superblock there may be nothing but a first segment to which no frame was written.
   */
  private static void requireInterruptedCreation(
      Storage storage, Collection<String> names, int segmentCount) throws IOException {
    boolean interrupted =
        segmentCount == 0
            ? !names.contains(StoreFiles.SUPERBLOCK)
            : segmentCount == 1 && holdsNoFrame(storage);
    if (!interrupted) {
      throw new CorruptStoreException(
          storage.locate(StoreFiles.SUPERBLOCK),
          0,
          "expected a superblock with at least one valid slot, since the directory holds a store");
    }
  }

  /** Whether segment 1 is all zeros behind the header, as it is created. */
  private static boolean holdsNoFrame(Storage storage) throws IOException {
    try (SegmentInput segment = SegmentInput.open(storage, 1)) {
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
    LogSegment.create(
            storage,
            new SegmentHeader(
                Superblock.FORMAT_VERSION, 1, superblock.storeId(), 1, segmentBytes, 0))
        .close();
    try (StorageFile file =
        storage.create(StoreFiles.SUPERBLOCK, Superblock.SLOTS * (long) Superblock.SLOT_BYTES)) {
      superblock.write(file); // its directory entry follows, see makeDurable
    }
  }

  /** The newest that was found. */
  Superblock superblock() {
    return superblock;
  }

  int segmentCount() {
    return segmentCount;
  }

  /**
   * Makes durable what recovery is about to believe. Reading it is no proof that it is durable: a
   * process killed before its force leaves it in the operating system's cache, and a force that
   * failed may have left it there for good, marked as written; therefore it is written once more,
   * byte for byte, before it is forced. What later frames prove durable is left alone.
   *
   * <p>The same goes for the superblock: the next claim will overwrite the other slot.
   */
  @Upholds("SequencedCommit!NoLostWriteInv")
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
    superblock.write(storage);
    if (end.incarnation() == 0) {
      storage.forceDirectory(); // the creation of the superblock, which was never opened yet
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
