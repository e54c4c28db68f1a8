package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * What the store is, what of its log must be there, and the checkpoint that recovery begins with.
 * It has two slots, and each generation takes the slot that the one before left alone: see {@link
 * SuperblockSlots}.
 *
 * <p>The log's own proofs stand in the frames behind what they prove, where one lost sector may
 * take both. A claim stands elsewhere: only the loss of two files goes unnoticed. A claim is
 * written after the force of what it claims, and claims only grow. So no crash can make the log
 * fall short of one.
 *
 * @param storeId a random number that tells this store from all others
 * @param identity the codecs
 * @param generation counts what is written; 0 for what the store was created with
 * @param incarnation the opening frame of this incarnation is durable; 0 if none is known to be
 * @param lsn all records up to this one are durable; 0 if none are known to be
 * @param checkpoint the newest one
 */
record Superblock(
    UUID storeId,
    StoreIdentity identity,
    long generation,
    long incarnation,
    long lsn,
    Checkpoint checkpoint) {

  static final int SLOT_BYTES = 4096;
  static final int SLOTS = 2;

  /** {@code OTRIESUP}. */
  private static final long MAGIC = 0x4f54524945535550L;

  /** A character has at most four bytes. */
  private static final int MAX_NAME_BYTES = 4 * StoreIdentity.MAX_NAME_LENGTH;

  /** The last four bytes of a slot, in every version of the format. */
  private static final int CHECKSUM = SLOT_BYTES - Integer.BYTES;

  /** The superblock of a new store: it claims nothing. */
  static Superblock ofNewStore(UUID storeId, StoreIdentity identity) {
    return new Superblock(storeId, identity, 0, 0, 0, Checkpoint.NONE);
  }

  /** The superblock of a new store that begins with an image, which is durable. */
  static Superblock ofCopy(UUID storeId, StoreIdentity identity, Checkpoint image) {
    return new Superblock(storeId, identity, 0, 0, image.lsn(), image);
  }

  /** The next claim. What it claims must be durable already. */
  Superblock claiming(long durableIncarnation, long durableLsn) {
    return new Superblock(
        storeId,
        identity,
        generation + 1,
        durableIncarnation,
        Math.max(lsn, durableLsn),
        checkpoint);
  }

  /** The next one, with a checkpoint whose image is durable, as are the records that it covers. */
  Superblock publishing(Checkpoint next) {
    return new Superblock(
        storeId, identity, generation + 1, incarnation, Math.max(lsn, next.lsn()), next);
  }

  /**
   * Reads both slots; the newest valid one, null if there is none.
   *
   * @throws IncompatibleStoreException if a newer version of the format wrote them
   * @throws CorruptStoreException if they are valid and belong to different stores
   */
  static Superblock read(Storage storage) throws IOException {
    return newest(readSlots(storage));
  }

  /** Reads both slots; null for one that is not valid. Errors as for {@link #read}. */
  static Superblock[] readSlots(Storage storage) throws IOException {
    Superblock[] slots = new Superblock[SLOTS];
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      for (int slot = 0; slot < SLOTS && file.size() >= (slot + 1) * (long) SLOT_BYTES; slot++) {
        slots[slot] = readSlot(file, slot, storage.locate(StoreFiles.SUPERBLOCK));
      }
    }
    if (slots[0] == null || slots[1] == null) {
      return slots;
    }
    if (!slots[0].storeId.equals(slots[1].storeId)
        || !slots[0].identity.equals(slots[1].identity)) {
      throw new CorruptStoreException(
          storage.locate(StoreFiles.SUPERBLOCK),
          SLOT_BYTES,
          "expected the second slot to belong to the same store as the first");
    }
    return slots;
  }

  /** Reads one slot, which must be in the file; null if it is not valid. */
  static Superblock readSlot(StorageFile file, int slot, String path) throws IOException {
    byte[] bytes = new byte[SLOT_BYTES];
    file.read(slot * (long) SLOT_BYTES, bytes, 0, SLOT_BYTES);
    Superblock found = decode(bytes, path);
    return found == null || found.slot() != slot ? null : found;
  }

  /** The one of the higher generation, null if neither is valid. */
  static Superblock newest(Superblock[] slots) {
    if (slots[0] == null || slots[1] == null) {
      return slots[0] == null ? slots[1] : slots[0];
    }
    return slots[0].generation > slots[1].generation ? slots[0] : slots[1];
  }

  /** Where it belongs: consecutive generations in turn. */
  int slot() {
    return (int) (generation & (SLOTS - 1));
  }

  /**
   * Writes it, whole, into its slot. The generation before must be durable in the other slot: until
   * this is forced, a crash may leave that one alone.
   */
  void write(StorageFile file) throws IOException {
    file.write(slot() * (long) SLOT_BYTES, encode(), 0, SLOT_BYTES);
  }

  /**
   * Compares the codecs.
   *
   * @throws IncompatibleStoreException if the store was written with others
   */
  void requireIdentity(StoreIdentity expected, String path) {
    if (!identity.equals(expected)) {
      throw new IncompatibleStoreException(
          path
              + ": the store was written with "
              + identity
              + " and cannot be opened with "
              + expected);
    }
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
    bytes.putLong(MAGIC).putInt(StoreFiles.FORMAT_VERSION);
    bytes.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits());
    bytes.putLong(generation).putLong(incarnation).putLong(lsn);
    checkpoint.encode(bytes);
    putCodec(bytes, identity.keyCodec(), identity.keyCodecVersion());
    putCodec(bytes, identity.valueCodec(), identity.valueCodecVersion());
    bytes.putInt(CHECKSUM, Checksums.plain(bytes.array(), 0, CHECKSUM));
    return bytes.array();
  }

  /** Null if the slot is not valid. */
  private static Superblock decode(byte[] slot, String path) {
    ByteBuffer bytes = ByteBuffer.wrap(slot);
    if (bytes.getLong() != MAGIC || bytes.getInt(CHECKSUM) != Checksums.plain(slot, 0, CHECKSUM)) {
      return null;
    }
    int version = bytes.getInt();
    StoreFiles.requireKnownVersion(version, path);
    UUID storeId = new UUID(bytes.getLong(), bytes.getLong());
    long generation = bytes.getLong();
    long incarnation = bytes.getLong();
    long lsn = bytes.getLong();
    Checkpoint checkpoint = Checkpoint.decode(bytes);
    String keyCodec = getName(bytes, path);
    int keyCodecVersion = bytes.getInt();
    String valueCodec = getName(bytes, path);
    int valueCodecVersion = bytes.getInt();
    return new Superblock(
        storeId,
        new StoreIdentity(keyCodec, keyCodecVersion, valueCodec, valueCodecVersion),
        generation,
        incarnation,
        lsn,
        checkpoint);
  }

  private static void putCodec(ByteBuffer bytes, String name, int version) {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (encoded.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("the codec's name is too long: " + name);
    }
    bytes.putInt(encoded.length).put(encoded).putInt(version);
  }

  private static String getName(ByteBuffer bytes, String path) {
    int length = bytes.getInt();
    if (length < 0 || length > MAX_NAME_BYTES) {
      throw new CorruptStoreException(
          path, bytes.position() - Integer.BYTES, "expected the length of a codec's name");
    }
    byte[] encoded = new byte[length];
    bytes.get(encoded);
    return new String(encoded, StandardCharsets.UTF_8);
  }
}
