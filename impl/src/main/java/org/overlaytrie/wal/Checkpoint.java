package org.overlaytrie.wal;

import java.nio.ByteBuffer;
import org.overlaytrie.trie.Root;

/**
 * Where an image begins that holds everything up to an LSN, so that recovery needs of the log only
 * what follows.
 *
 * @param lsn the checkpoint LSN: the image holds the effect of all records up to it
 * @param rootAddress the address of the root's record; 0 for an image without entries
 * @param oldestSegment the smallest number of an image segment that the image reaches into
 * @param entries how many entries it holds
 * @param nextSegment the first number of an image segment that was never used
 */
public record Checkpoint(
    long lsn, long rootAddress, int oldestSegment, long entries, int nextSegment) {

  /** Of a store that never had one: an empty image. */
  public static final Checkpoint NONE = new Checkpoint(0, 0, 0, 0, 1);

  /** The checkpoint at {@code lsn} whose image has this root. */
  public static Checkpoint of(long lsn, Root root, int nextSegment) {
    return new Checkpoint(lsn, root.address(), root.oldestSegment(), root.size(), nextSegment);
  }

  /** The root of its image. */
  public Root root() {
    return new Root(rootAddress, oldestSegment, entries);
  }

  void encode(ByteBuffer target) {
    target.putLong(lsn).putLong(rootAddress).putInt(oldestSegment).putLong(entries);
    target.putInt(nextSegment);
  }

  static Checkpoint decode(ByteBuffer source) {
    return new Checkpoint(
        source.getLong(), source.getLong(), source.getInt(), source.getLong(), source.getInt());
  }
}
