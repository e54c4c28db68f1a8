package org.overlaytrie.image;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first {@link #BYTES} bytes of an image segment.
 *
 * @param version the format's version
 * @param number the segment's number
 * @param storeId the store that it belongs to
 */
record ImageHeader(int version, int number, UUID storeId) {

  static final int BYTES = 64;

  /** {@code OTRIEIMG}. */
  private static final long MAGIC = 0x4f54524945494d47L;

  private static final int CHECKSUM = 60;

  /** The header as it stands in the file. */
  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(version).putInt(number);
    bytes.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits());
    bytes.putInt(CHECKSUM, checksum(bytes.array()));
    return bytes.array();
  }

  /** The header in {@code source}; null if it holds none. */
  static ImageHeader decode(byte[] source) {
    ByteBuffer bytes = ByteBuffer.wrap(source);
    if (bytes.getLong() != MAGIC || bytes.getInt(CHECKSUM) != checksum(source)) {
      return null;
    }
    return new ImageHeader(
        bytes.getInt(), bytes.getInt(), new UUID(bytes.getLong(), bytes.getLong()));
  }

  private static int checksum(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CHECKSUM);
    return (int) crc.getValue();
  }
}
