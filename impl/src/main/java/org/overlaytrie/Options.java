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
 */
public record Options(int walSegmentBytes, Durability durability, int asyncLimit) {
  private static final int MAX_ASYNC_LIMIT = 1 << 20;

  /** Checks the ranges. */
  public Options {
    Objects.requireNonNull(durability, "durability");
    requireBetween("walSegmentBytes", MIN_SEGMENT_BYTES, walSegmentBytes, MAX_SEGMENT_BYTES);
    requireBetween("asyncLimit", 1, asyncLimit, MAX_ASYNC_LIMIT);
  }

  private static void requireBetween(String name, int least, int value, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be between %,d and %,d, but is %d", name, least, most, value));
    }
  }

  /** Log segments of 16 MiB, {@link Durability#SYNC}, 4,096 stages. */
  public static Options defaults() {
    return new Options(16 << 20, Durability.SYNC, 1 << 12);
  }

  /** These options with another {@link #walSegmentBytes}. */
  public Options withWalSegmentBytes(int bytes) {
    return new Options(bytes, durability, asyncLimit);
  }

  /** These options with another {@link #durability}. */
  public Options withDurability(Durability other) {
    return new Options(walSegmentBytes, other, asyncLimit);
  }

  /** These options with another {@link #asyncLimit}. */
  public Options withAsyncLimit(int stages) {
    return new Options(walSegmentBytes, durability, stages);
  }
}
