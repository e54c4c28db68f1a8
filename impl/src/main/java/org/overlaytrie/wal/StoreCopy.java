package org.overlaytrie.wal;

import static org.overlaytrie.wal.Superblock.SLOTS;
import static org.overlaytrie.wal.Superblock.SLOT_BYTES;

import java.io.IOException;
import java.util.UUID;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * Makes a new store of an image that is written for it, with an id of its own and an empty log.
 * Each step is durable before the next:
 *
 * <pre>
 *   begin     an empty superblock: from here on the directory does not open
 *             the image, by the caller
 *   finish    segment 1 of the log, from the LSN behind the image's on
 *             the superblock names the image, in one slot, then in the other
 * </pre>
 *
 * <p>So what an interruption leaves is refused, until it is complete. For one thread.
 */
public final class StoreCopy {
  private final Storage storage;
  private final StoreIdentity identity;
  private final UUID storeId = StoreDirectory.randomStoreId();

  private StoreCopy(Storage storage, StoreIdentity identity) {
    this.storage = storage;
    this.identity = identity;
  }

  /** Begins a store in {@code storage}, which must be empty. */
  public static StoreCopy begin(Storage storage, StoreIdentity identity) throws IOException {
    try (StorageFile file = storage.create(StoreFiles.SUPERBLOCK, SLOTS * (long) SLOT_BYTES)) {
      file.force();
    }
    storage.forceDirectory();
    return new StoreCopy(storage, identity);
  }

  /** The number that tells the new store from all others. */
  public UUID storeId() {
    return storeId;
  }

  /**
   * Makes it a store. {@code image} must be durable.
   *
   * @param segmentBytes the size of the first segment of the log
   */
  public void finish(Checkpoint image, int segmentBytes) throws IOException {
    LogSegment.create(storage, SegmentHeader.ofFirst(storeId, image.lsn() + 1, segmentBytes))
        .close();
    Superblock superblock = Superblock.ofCopy(storeId, identity, image);
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      superblock.write(file);
      file.force();
    }
    new SuperblockSlots(storage, superblock, ProtocolEvents.NONE)
        .claim(superblock.incarnation(), superblock.lsn());
  }
}
