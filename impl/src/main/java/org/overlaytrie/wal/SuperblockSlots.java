package org.overlaytrie.wal;

import java.io.IOException;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * Writes the superblock of an open store. Two threads do: whoever writes the log claims what is
 * durable, and whoever makes a checkpoint publishes it. Each generation goes over the slot that
 * does not hold the newest one known to be durable.
 *
 * <pre>
 *   generation   6        7        8 (fails)   8        9
 *   slot 0       C1       C1       C1 or C2    C2       C2
 *   slot 1       C1       C2       C2          C2       C3      C: the checkpoint that it names
 * </pre>
 *
 * <p>Should a write fail, its slot may hold anything, and the other is left alone until a later
 * attempt has succeeded: the slot is written whole, with the same generation, before it is forced.
 */
final class SuperblockSlots {
  private final Storage storage;
  private final ProtocolEvents events;
  private final long[] checkpointLsn = new long[Superblock.SLOTS];
  private Superblock newest;

  /**
   * The slots of a store whose newest superblock is {@code newest}. The other slot may hold
   * anything until it has been written.
   */
  SuperblockSlots(Storage storage, Superblock newest, ProtocolEvents events) {
    this.storage = storage;
    this.events = events;
    this.newest = newest;
  }

  /**
   * Writes the newest one again: what a process reads that did not write it may be in the operating
   * system's cache alone, and the next generation will go over the other slot.
   */
  @Upholds("WatermarkReclamation!RecoveredEqualsVisibleInv")
  synchronized void rewrite() throws IOException {
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      newest.write(file); // RewriteSlot
      file.force(); // ForceRewritten
    }
    know(newest);
  }

  /** Claims that the opening frame of an incarnation and all records up to an LSN are durable. */
  @Upholds("WatermarkReclamation!ClaimIsDurableInv")
  synchronized void claim(long incarnation, long lsn) throws IOException {
    Superblock next = newest.claiming(incarnation, lsn);
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      next.write(file);
      events.writeClaim(next.generation(), next.lsn()); // WriteClaim
      file.force();
      events.forceClaim(next.generation(), next.lsn()); // ForceClaim
    }
    know(next);
  }

  /** Publishes a checkpoint in one slot. */
  @Upholds("WatermarkReclamation!EitherSlotSufficesInv")
  synchronized void publish(Checkpoint checkpoint) throws IOException {
    Superblock next = newest.publishing(checkpoint);
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      next.write(file);
      events.publishCheckpoint(next.generation(), checkpoint.lsn()); // PublishCheckpoint
      file.force();
      events.forceCheckpoint(next.generation(), checkpoint.lsn()); // ForceCheckpoint
    }
    know(next);
  }

  /**
   * Has the other slot name the newest checkpoint too: from then on either slot leads to it, and no
   * record that it covers is needed any more.
   */
  @Upholds("WatermarkReclamation!LogStaysBoundedProp")
  synchronized void nameInBoth() throws IOException {
    if (!agree()) {
      claim(newest.incarnation(), newest.lsn());
    }
  }

  /** Whether both slots are known to name the newest checkpoint. */
  synchronized boolean agree() {
    return reclaimBound() == newest.checkpoint().lsn();
  }

  private void know(Superblock next) {
    newest = next;
    checkpointLsn[next.slot()] = next.checkpoint().lsn();
  }

  /**
   * The reclaim bound: records up to this LSN are needed by neither slot. A slot whose write failed
   * counts with the checkpoint that it held before, and one that this process has not written with
   * none.
   */
  @Upholds("WatermarkReclamation!ReclaimBelowBoundInv")
  synchronized long reclaimBound() {
    return Math.min(checkpointLsn[0], checkpointLsn[1]);
  }

  /** The newest that is durable. */
  synchronized Superblock newest() {
    return newest;
  }
}
