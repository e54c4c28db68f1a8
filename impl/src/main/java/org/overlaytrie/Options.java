package org.overlaytrie;

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
    if (walSegmentBytes < 4_096 || walSegmentBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "walSegmentBytes must be between 4,096 and 1,073,741,824, but is " + walSegmentBytes);
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
