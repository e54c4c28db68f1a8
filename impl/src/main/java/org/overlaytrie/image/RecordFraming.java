package org.overlaytrie.image;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What stands around the payload of a record: the checksum, 4 bytes, and the payload's length, 1 to
 * 4 bytes with 7 bits each, the lowest first.
 *
 * <p>The checksum begins with the store and the address that the record was written for, so that
 * bytes found elsewhere never pass for a record: neither those of another store, nor those of
 * another place.
 *
 * @param storeId the store
 */
record RecordFraming(UUID storeId) {

  static final int CHECKSUM_BYTES = 4;
  static final int MAX_BYTES = CHECKSUM_BYTES + 4;

  /** No record has a longer payload, and no length can say more. */
  static final int MAX_PAYLOAD_BYTES = (1 << 28) - 1;

  /** A length that has no end where it must. */
  static final int INVALID = -1;

  /** Writes what comes before the payload to {@code target}; answers its length. */
  int encode(long address, byte[] payload, int length, byte[] target, int offset) {
    int end = offset + CHECKSUM_BYTES;
    int rest = length;
    while (rest > 0x7F) {
      target[end++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    target[end++] = (byte) rest;
    CRC32C crc = begun(address);
    crc.update(target, offset + CHECKSUM_BYTES, end - offset - CHECKSUM_BYTES);
    crc.update(payload, 0, length);
    ByteBuffer.wrap(target).putInt(offset, (int) crc.getValue());
    return end - offset;
  }

  /** The length of the payload, of a record at the start of {@code bytes}, or {@link #INVALID}. */
  static int payloadLength(byte[] bytes, int available) {
    int length = 0;
    for (int i = CHECKSUM_BYTES; i < Math.min(available, MAX_BYTES); i++) {
      length |= (bytes[i] & 0x7F) << (7 * (i - CHECKSUM_BYTES));
      if (bytes[i] >= 0) {
        return length;
      }
    }
    return INVALID;
  }

  /** How many bytes come before a payload of {@code length} bytes as {@link #encode} writes it. */
  static int bytesBefore(int length) {
    return CHECKSUM_BYTES
        + Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7);
  }

  /** Whether the record of {@code length} bytes at the start of {@code bytes} belongs there. */
  boolean isIntact(long address, byte[] bytes, int length) {
    CRC32C crc = begun(address);
    crc.update(bytes, CHECKSUM_BYTES, length - CHECKSUM_BYTES);
    return ByteBuffer.wrap(bytes).getInt() == (int) crc.getValue();
  }

  private CRC32C begun(long address) {
    ByteBuffer place = ByteBuffer.allocate(24);
    place.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits());
    place.putLong(address);
    CRC32C crc = new CRC32C();
    crc.update(place.array());
    return crc;
  }
}
