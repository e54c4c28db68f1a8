package org.overlaytrie;

import static org.overlaytrie.wal.WriteAheadLog.MAX_SEGMENT_BYTES;
import static org.overlaytrie.wal.WriteAheadLog.MIN_SEGMENT_BYTES;

import java.util.Locale;
import java.util.Objects;

/**
 * How a store is opened. Immutable; start from {@link #defaults()}. Options may differ from one
 * open to the next.
 *
 * @param walSegmentBytes the size of a segment of the write-ahead log, in bytes, 4,096 to
 *     1,073,741,824; the disk space is taken when the segment is created. A change that is larger
 *     gets a segment of its own size.
 * @param durability what a crash can take
 * @param asyncLimit how many stages of {@link OverlayTrie#putAsync} and its like may be incomplete
 *     at a time, 1 to 1,048,576; who asks for one more waits
 * @param checkpoints when checkpoints are made, and how much log is kept
 * @param imageSegmentBytes the size of a file of the image, in bytes, 65,536 to 1,073,741,824; an
 *     entry that is larger gets a file of its own size
 */
public record Options(
    int walSegmentBytes,
    Durability durability,
    int asyncLimit,
    CheckpointPolicy checkpoints,
    int imageSegmentBytes) {
  private static final int MAX_ASYNC_LIMIT = 1 << 20;
  private static final int MIN_IMAGE_SEGMENT_BYTES = 1 << 16;

  /** Checks the ranges. */
  public Options {
    Objects.requireNonNull(durability, "durability");
    requireBetween("walSegmentBytes", MIN_SEGMENT_BYTES, walSegmentBytes, MAX_SEGMENT_BYTES);
    requireBetween("asyncLimit", 1, asyncLimit, MAX_ASYNC_LIMIT);
    Objects.requireNonNull(checkpoints, "checkpoints");
    requireBetween(
        "imageSegmentBytes", MIN_IMAGE_SEGMENT_BYTES, imageSegmentBytes, MAX_SEGMENT_BYTES);
    if (checkpoints.logLimitBytes() < 2L * walSegmentBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the limit of the log must be at least two segments of it, %,d bytes, but is %,d",
              2L * walSegmentBytes,
              checkpoints.logLimitBytes()));
    }
  }

  private static void requireBetween(String name, int least, int value, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be between %,d and %,d, but is %d", name, least, most, value));
    }
  }

  /**
   * Log segments of 16 MiB, {@link Durability#SYNC}, 4,096 stages, {@link
   * CheckpointPolicy#defaults()}, image files of 64 MiB.
   */
  public static Options defaults() {
    return new Options(16 << 20, Durability.SYNC, 1 << 12, CheckpointPolicy.defaults(), 64 << 20);
  }

  /** These options with another {@link #walSegmentBytes}. */
  public Options withWalSegmentBytes(int bytes) {
    return new Options(bytes, durability, asyncLimit, checkpoints, imageSegmentBytes);
  }

  /** These options with another {@link #durability}. */
  public Options withDurability(Durability other) {
    return new Options(walSegmentBytes, other, asyncLimit, checkpoints, imageSegmentBytes);
  }

  /** These options with another {@link #asyncLimit}. */
  public Options withAsyncLimit(int stages) {
    return new Options(walSegmentBytes, durability, stages, checkpoints, imageSegmentBytes);
  }

  /** These options with another {@link #checkpoints}. */
  public Options withCheckpoints(CheckpointPolicy policy) {
    return new Options(walSegmentBytes, durability, asyncLimit, policy, imageSegmentBytes);
  }

  /** These options with another {@link #imageSegmentBytes}. */
  public Options withImageSegmentBytes(int bytes) {
    return new Options(walSegmentBytes, durability, asyncLimit, checkpoints, bytes);
  }
}
