package org.overlaytrie;

import static org.overlaytrie.wal.WriteAheadLog.MAX_SEGMENT_BYTES;
import static org.overlaytrie.wal.WriteAheadLog.MIN_SEGMENT_BYTES;

import java.util.Locale;

/**
 * How a store is opened. Immutable; start from {@link #defaults()}. Options may differ from one
 * open to the next.
 *
 * @param walSegmentBytes the size of a segment of the write-ahead log, in bytes, 4,096 to
 *     1,073,741,824; the disk space is taken when the segment is created. A change that is larger
 *     gets a segment of its own size.
 */
public record Options(int walSegmentBytes) {

  /** Checks the ranges. */
  public Options {
    if (walSegmentBytes < MIN_SEGMENT_BYTES || walSegmentBytes > MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "walSegmentBytes must be between %,d and %,d, but is %d",
              MIN_SEGMENT_BYTES,
              MAX_SEGMENT_BYTES,
              walSegmentBytes));
    }
  }

  /** Log segments of 16 MiB. */
  public static Options defaults() {
    return new Options(16 << 20);
  }

  /** These options with another {@link #walSegmentBytes}. */
  public Options withWalSegmentBytes(int bytes) {
    return new Options(bytes);
  }
}
