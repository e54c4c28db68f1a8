package org.overlaytrie.checkpoint;

import java.io.IOException;
import org.overlaytrie.ProgressListener;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.Version;
import org.overlaytrie.image.Image;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Root;
import org.overlaytrie.wal.Checkpoint;
import org.overlaytrie.wal.StoreDirectory;

/**
 * The steps of a checkpoint, each named after its action in {@code WatermarkReclamation.tla}.
 *
 * <pre>
 *   CaptureVersion      one read of the visible version: content and checkpoint LSN together
 *   WriteImage          every node without an address, children before parents
 *   ForceImage
 *   InstallAddresses    from here on the nodes count as clean
 *   PublishCheckpoint   a slot of the superblock, and ForceCheckpoint; then the other slot
 *   DeleteSegment       of the log, oldest first, each with ForceDirectory
 * </pre>
 *
 * <p>Writers are never excluded: they work on newer versions, and what is captured never changes.
 * Whatever fails leaves the checkpoint before, and the log behind it, as they were: nothing is
 * overwritten but a slot that is not needed. For one thread at a time.
 */
final class Checkpointer {
  private final SequencedCommit commit;
  private final StoreDirectory directory;
  private final Image image;
  private final ProtocolEvents events;

  Checkpointer(
      SequencedCommit commit, StoreDirectory directory, Image image, ProtocolEvents events) {
    this.commit = commit;
    this.directory = directory;
    this.image = image;
    this.events = events;
  }

  /**
   * Makes a checkpoint of what is visible, if that is not what {@code newest} holds, and gives back
   * what of the log it covers.
   *
   * @return the version that is the newest checkpoint now
   * @throws IOException if it cannot be written
   */
  Version checkpoint(Checkpoint newest, ProgressListener listener) throws IOException {
    try {
      Version version = capture();
      if (version.lsn() > newest.lsn()) {
        directory.publish(write(version, listener)); // PublishCheckpoint, ForceCheckpoint
      }
      directory.reclaimLog(); // DeleteSegment, ForceDirectory
      return version;
    } catch (Throwable failure) {
      events.failCheckpoint(); // FailCheckpoint
      throw failure;
    }
  }

  /** CaptureVersion: of what is durable, whatever the durability lets readers see. */
  @Upholds("CheckpointedCommit!ImageAndLogAgreeInv")
  private Version capture() {
    Version version = commit.visible();
    events.captureVersion(version.lsn());
    return version;
  }

  @Upholds("CheckpointTriggers!NoMetadataBeforeCheckpointInv")
  private Checkpoint write(Version version, ProgressListener listener) throws IOException {
    Root root = image.write(version.trie(), listener); // WriteImage
    events.writeImage(version.lsn());
    image.force(); // ForceImage
    events.forceImage(version.lsn());
    image.install(); // InstallAddresses
    events.installAddresses(version.lsn());
    return Checkpoint.of(version.lsn(), root, image.nextSegment());
  }
}
