package org.overlaytrie.wal;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Computes the checksums of one store. Not thread-safe.
 *
 * <p>A frame's checksum begins with the store and the place that the frame was written for, so that
 * bytes found elsewhere never pass for a frame: neither those of another store or segment, nor a
 * value that happens to contain a copy of the log.
 */
final class Checksums {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer place = ByteBuffer.allocate(28);

  Checksums(UUID storeId) {
    place.putLong(0, storeId.getMostSignificantBits());
    place.putLong(8, storeId.getLeastSignificantBits());
  }

  /** The checksum of the bytes from {@code from} to {@code to}, as written for that place. */
  int placed(int segment, long offset, ByteBuffer bytes, int from, int to) {
    place.putInt(16, segment);
    place.putLong(20, offset);
    crc.reset();
    crc.update(place.array());
    crc.update(bytes.slice(from, to - from));
    return (int) crc.getValue();
  }

  /** The checksum of the bytes from {@code from} to {@code to}, wherever they are. */
  static int plain(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
