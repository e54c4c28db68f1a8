package org.overlaytrie.checkpoint;

import java.io.IOException;
import org.overlaytrie.Options;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.image.Image;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.Checkpoint;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreDirectory;
import org.overlaytrie.wal.StoreIdentity;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * Opens a store: the superblock says where the image begins, and the log what was written since. Of
 * the image no node is loaded but those that the log's records lead to. So the cost is that of the
 * log, whatever the size of the map.
 *
 * @param storage the store's directory
 * @param events who observes the store
 * @param image its image
 * @param commit its commit protocol, begun on what was found
 * @param checkpoints its checkpoints
 */
public record Recovery(
    Storage storage,
    ProtocolEvents events,
    Image image,
    SequencedCommit commit,
    Checkpoints checkpoints) {

  /** The content, record by record. */
  private static final class Replay {
    private Trie trie;
    private long bytes;

    Replay(Trie trie) {
      this.trie = trie;
    }

    void apply(LogRecord record) {
      trie = record.applyTo(trie);
      bytes += record.encodedBytes();
    }
  }

  /**
   * Recovers the store in {@code storage}, or creates an empty one.
   *
   * @throws org.overlaytrie.CorruptStoreException if the files hold what no crash can have left
   * @throws org.overlaytrie.IncompatibleStoreException if the store has other codecs or another
   *     format, or if the directory holds other files and no store
   */
  public static Recovery recover(
      Storage storage,
      StoreIdentity identity,
      Options options,
      ProtocolEvents events,
      Parking parking)
      throws IOException {
    StoreDirectory directory =
        StoreDirectory.open(storage, identity, options.walSegmentBytes(), events);
    Checkpoint checkpoint = directory.checkpoint();
    Image image =
        Image.open(
            storage, directory.storeId(), options.imageSegmentBytes(), checkpoint.nextSegment());
    try {
      Replay replay = new Replay(contentOf(image, checkpoint));
      WriteAheadLog log = WriteAheadLog.open(directory, replay::apply);
      SequencedCommit commit =
          new SequencedCommit(
              replay.trie, log, events, parking, options.durability(), options.asyncLimit());
      Checkpoints checkpoints =
          new Checkpoints(
              commit, directory, image, events, parking, options.checkpoints(), replay.bytes);
      return new Recovery(storage, events, image, commit, checkpoints);
    } catch (Throwable failure) {
      image.close();
      throw failure;
    }
  }

  /** The content of the image that a checkpoint names. */
  @Upholds("WatermarkReclamation!RecoveredEqualsVisibleInv")
  public static Trie contentOf(Image image, Checkpoint checkpoint) {
    return image.load(checkpoint.root());
  }
}
