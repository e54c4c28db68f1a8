package org.overlaytrie.wal;

import java.nio.ByteBuffer;

/**
 * The header of one frame of the log. Its encoding, {@link #HEADER_BYTES} long, is followed by the
 * payload (the records of a {@link Kind#DATA} frame; other kinds have none), filled up with zero
 * bytes to a multiple of {@link #ALIGNMENT}. See {@code docs/FORMAT.md}.
 *
 * @param kind what the frame says
 * @param payloadBytes the payload's length, without the bytes that fill it up
 * @param payloadChecksum CRC32C of the payload, filled up
 * @param previousChecksum the checksum of the frame before this one; 0 for the first of a store
 * @param count the number of records
 * @param incarnation the open that wrote the frame
 * @param firstLsn the LSN of the first record; of the next one to come if there are none
 * @param forcedLsn all records up to this LSN were durable before this frame was written
 */
record Frame(
    Kind kind,
    int payloadBytes,
    int payloadChecksum,
    int previousChecksum,
    int count,
    long incarnation,
    long firstLsn,
    long forcedLsn) {

  /** What a frame says. */
  enum Kind {
    /** These records were committed. */
    DATA(1),
    /** A new incarnation begins; all that is before this frame is durable. */
    OPEN(2),
    /** The log goes on in the next segment, which exists; all that is before this is durable. */
    SEAL(3),
    /** The incarnation has ended in order; all that is before this frame is durable. */
    CLOSE(4);

    private static final Kind[] KINDS = values();

    final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) {
      return code >= 1 && code <= KINDS.length ? KINDS[code - 1] : null;
    }
  }

  /** {@code OTfr}. */
  static final int MAGIC = 0x4f546672;

  static final int HEADER_BYTES = 56;
  static final int ALIGNMENT = 8;

  /** Where in the header the checksum is, and the first of the bytes that it covers. */
  private static final int CHECKSUM = 4;

  private static final int CHECKED = 8;

  /** The length of a frame with a payload of {@code payloadBytes}. */
  static long bytes(long payloadBytes) {
    return HEADER_BYTES + filledUp(payloadBytes);
  }

  /** The length of a payload with the zero bytes that fill it up. */
  static long filledUp(long payloadBytes) {
    return (payloadBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** This frame's length. */
  long bytes() {
    return bytes(payloadBytes);
  }

  /** The LSN of the last record; of the record before this frame if it has none. */
  long lastLsn() {
    return firstLsn + count - 1;
  }

  /**
   * Writes the header into {@code target} at {@code index}, for {@code offset} of {@code segment}.
   *
   * @return the frame's checksum
   */
  int encode(ByteBuffer target, int index, Checksums checksums, int segment, long offset) {
    target.putInt(index, MAGIC);
    target.putInt(index + 8, kind.code);
    target.putInt(index + 12, payloadBytes);
    target.putInt(index + 16, payloadChecksum);
    target.putInt(index + 20, previousChecksum);
    target.putInt(index + 24, count);
    target.putInt(index + 28, 0);
    target.putLong(index + 32, incarnation);
    target.putLong(index + 40, firstLsn);
    target.putLong(index + 48, forcedLsn);
    int checksum = checksums.placed(segment, offset, target, index + CHECKED, index + HEADER_BYTES);
    target.putInt(index + CHECKSUM, checksum);
    return checksum;
  }

  /**
   * The header in {@code source} at {@code index}, which was read from {@code offset} of {@code
   * segment}; null if none was written for that place of this store.
   */
  static Frame decode(ByteBuffer source, int index, Checksums checksums, int segment, long offset) {
    if (source.getInt(index) != MAGIC) {
      return null;
    }
    Kind kind = Kind.of(source.getInt(index + 8));
    if (kind == null
        || checksum(source, index)
            != checksums.placed(segment, offset, source, index + CHECKED, index + HEADER_BYTES)) {
      return null;
    }
    return new Frame(
        kind,
        source.getInt(index + 12),
        source.getInt(index + 16),
        source.getInt(index + 20),
        source.getInt(index + 24),
        source.getLong(index + 32),
        source.getLong(index + 40),
        source.getLong(index + 48));
  }

  /** The checksum that the header in {@code source} at {@code index} carries. */
  static int checksum(ByteBuffer source, int index) {
    return source.getInt(index + CHECKSUM);
  }
}
