package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.overlaytrie.storage.StoreFiles;

/**
 * The first {@link #BYTES} bytes of a log segment.
 *
 * @param version the format's version
 * @param number the segment's number, 1 for a store's first
 * @param storeId the store that it belongs to
 * @param firstLsn the LSN of the first record that it may hold
 * @param segmentBytes the file's length
 * @param previousChecksum the checksum of the frame that seals the segment before; 0 in the first
 * @param incarnation the one that the frame before belongs to; 0 in the first
 */
record SegmentHeader(
    int version,
    int number,
    UUID storeId,
    long firstLsn,
    long segmentBytes,
    int previousChecksum,
    long incarnation) {

  /** {@code OTRIELOG}. */
  private static final long MAGIC = 0x4f545249454c4f47L;

  static final int BYTES = 64;
  private static final int CHECKSUM = 60;

  /** The header as it stands in the file. */
  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(version).putInt(number);
    bytes.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits());
    bytes.putLong(firstLsn).putLong(segmentBytes).putInt(previousChecksum);
    bytes.putLong(incarnation);
    bytes.putInt(CHECKSUM, Checksums.plain(bytes.array(), 0, CHECKSUM));
    return bytes.array();
  }

  /** The header of the first segment of a store, which begins with {@code firstLsn}. */
  static SegmentHeader ofFirst(UUID storeId, long firstLsn, long segmentBytes) {
    return new SegmentHeader(StoreFiles.FORMAT_VERSION, 1, storeId, firstLsn, segmentBytes, 0, 0);
  }

  /** The header that {@code segment} begins with; null if it has no valid one. */
  static SegmentHeader read(SegmentInput segment) throws IOException {
    return segment.size < BYTES ? null : decode(segment.copy(0, BYTES));
  }

  /** The header in {@code source}; null if it holds none. */
  private static SegmentHeader decode(byte[] source) {
    ByteBuffer bytes = ByteBuffer.wrap(source);
    if (bytes.getLong() != MAGIC
        || bytes.getInt(CHECKSUM) != Checksums.plain(source, 0, CHECKSUM)) {
      return null;
    }
    return new SegmentHeader(
        bytes.getInt(),
        bytes.getInt(),
        new UUID(bytes.getLong(), bytes.getLong()),
        bytes.getLong(),
        bytes.getLong(),
        bytes.getInt(),
        bytes.getLong());
  }
}
