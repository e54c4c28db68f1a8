package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.wal.LogFixture.SEGMENT_BYTES;
import static org.overlaytrie.wal.LogFixture.put;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.Frame.Kind;
import org.overlaytrie.wal.LogFixture.Opened;

/** What recovery makes of files that a crash, or somebody, left behind. */
class RecoveryTest {

  private static final String SEGMENT_1 = StoreFiles.segment(1);
  private static final String SEGMENT_2 = StoreFiles.segment(2);

  /** Where the frame behind the opening frame of a new store is. */
  private static final int FIRST_FRAME = SegmentHeader.BYTES + Frame.HEADER_BYTES;

  /** Where the next one is, if the first holds {@code a=1}. */
  private static final int SECOND_FRAME =
      FIRST_FRAME + (int) Frame.bytes(put("a", "1").encodedBytes());

  @Test
  @Checks("SequencedCommit!StaleTailNeverReplaysInv")
  void aFrameOfAnEarlierLifeIsNotReplayedBehindAFrameThatEndsWhereItBegins() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "x".repeat(400)), put("stale", "y".repeat(400))));
    first.kill();
    int lost = (int) Frame.bytes(put("a", "x".repeat(400)).encodedBytes());
    int stale = FIRST_FRAME + lost;
    byte[] bytes = storage.files.get(SEGMENT_1);
    Arrays.fill(bytes, FIRST_FRAME, stale, (byte) 0);
    assertThat(frameAt(storage, 1, stale).firstLsn()).isEqualTo(2);

    Opened second = open(storage);
    assertThat(second.replayed()).isEmpty();
    LogRecord filler = put("b", "z".repeat(400 - Frame.HEADER_BYTES));
    assertThat(FIRST_FRAME + Frame.HEADER_BYTES + Frame.bytes(filler.encodedBytes()))
        .isEqualTo(stale);
    second.log().append(1, List.of(filler));
    second.log().force();
    second.kill();
    assertThat(frameAt(storage, 1, stale).firstLsn()).isEqualTo(2);

    assertThat(open(storage).replayed()).containsExactly(LogFixture.describe(filler));
  }

  /**
   * Two copies of a store go on, each its own way. Their frames have the same places, incarnation
   * and LSNs, so if a part of one gets into the other, nothing but the chain shows it.
   */
  @Test
  @Checks({"SequencedCommit!NoInventedWriteInv", "SequencedCommit!NoLostWriteInv"})
  void aFrameThatACopyOfTheStoreWroteIsNotReplayed() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).kill();
    MemoryStorage copy = new MemoryStorage(storage.files);
    writeEach(storage, put("a", "1"), put("b", "1"), put("c", "1"));
    writeEach(copy, put("a", "2"), put("b", "2"), put("c", "2"));
    int from = SECOND_FRAME + Frame.HEADER_BYTES; // the opening frame of the second life
    int to = from + SECOND_FRAME - FIRST_FRAME;
    Frame ours = frameAt(storage, 1, from);
    Frame theirs = frameAt(copy, 1, from);
    assertThat(theirs.firstLsn()).isEqualTo(ours.firstLsn()).isEqualTo(2);
    assertThat(theirs.incarnation()).isEqualTo(ours.incarnation()).isEqualTo(2);
    assertThat(theirs.forcedLsn()).isEqualTo(ours.forcedLsn()).isEqualTo(1);

    byte[] bytes = storage.files.get(SEGMENT_1);
    System.arraycopy(copy.files.get(SEGMENT_1), from, bytes, from, to - from);
    assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "offset " + from);
  }

  private static void writeEach(MemoryStorage storage, LogRecord... records) throws IOException {
    Opened opened = open(storage);
    for (LogRecord each : records) {
      opened.log().append(opened.log().lastLsn() + 1, List.of(each));
      opened.log().force();
    }
    opened.kill();
  }

  @Test
  @Checks("SequencedCommit!RecoveredIsPrefixInv")
  void aFrameBehindATornOneIsDroppedWithIt() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "1")));
    first.log().force();
    first.log().append(2, List.of(put("b", "x".repeat(400)), put("c", "y".repeat(400))));
    first.kill();
    storage.files.get(SEGMENT_1)[SECOND_FRAME + 300] = 0;
    assertThat(open(storage).replayed()).containsExactly("a=1");
    assertThat(open(storage).replayed()).containsExactly("a=1");
  }

  @Test
  void aValueThatContainsTheLogIsNoProofOfAnything() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "1")));
    first.log().force();
    byte[] copy = Arrays.copyOf(storage.files.get(SEGMENT_1), 200);
    LogRecord record = new LogRecord.Put(new byte[7], copy); // so that its frames are aligned
    assertThat((record.encodedBytes() - copy.length) % Frame.ALIGNMENT).isZero();
    first.log().append(2, List.of(record));
    first.kill();
    storage.files.get(SEGMENT_1)[SECOND_FRAME]++;
    assertThat(open(storage).replayed()).containsExactly("a=1");
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void theHeaderOfASegmentMadeReadyProvesWhatWasDurableBefore() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "1")));
    first.log().force();
    first.log().append(2, List.of(put("b", "x".repeat(4000))));
    // as if the crash had come before the seal
    byte[] bytes = storage.files.get(SEGMENT_1);
    Arrays.fill(bytes, SECOND_FRAME, SECOND_FRAME + Frame.HEADER_BYTES, (byte) 0);
    Arrays.fill(storage.files.get(SEGMENT_2), SegmentHeader.BYTES, SEGMENT_BYTES, (byte) 0);
    assertThat(open(new MemoryStorage(storage.files)).replayed()).containsExactly("a=1");

    bytes[FIRST_FRAME]++;
    assertThatThrownBy(() -> open(storage))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining(SEGMENT_1 + ", offset " + FIRST_FRAME)
        .hasMessageContaining(SEGMENT_2);
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void aLaterFlushProvesThatAnEarlierOneWasDurable() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "1")));
    first.log().force();
    first.log().append(2, List.of(put("b", "2")));
    first.kill();
    storage.files.get(SEGMENT_1)[FIRST_FRAME]++;
    assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "offset " + FIRST_FRAME);
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void anyFrameOfAnIncarnationProvesThatItsOpeningFrameWasDurable() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).kill();
    Opened second = open(storage);
    second.log().append(1, List.of(put("a", "1")));
    second.kill();
    storage.files.get(SEGMENT_1)[FIRST_FRAME]++;
    assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "offset " + FIRST_FRAME);
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void aSegmentProvesThatTheOneBeforeTheLastWasSealed() throws IOException {
    MemoryStorage storage = storeOfFourSegments();
    byte[] bytes = storage.files.get(StoreFiles.segment(2));
    Arrays.fill(bytes, SegmentHeader.BYTES, bytes.length, (byte) 0);
    Arrays.fill(storage.files.get(StoreFiles.segment(3)), (byte) 0);
    assertRefused(
        storage, CorruptStoreException.class, StoreFiles.segment(2), StoreFiles.segment(4));
  }

  @Test
  void refusesFramesThatAreValidButMakeNoSense() throws IOException {
    byte[] records = {LogRecord.REMOVE, 0, 0, 0, 1, 'k'};
    byte[] two = {LogRecord.REMOVE, 0, 0, 0, 0, LogRecord.REMOVE, 0, 0, 0, 0};
    byte[] hostile = {LogRecord.PUT, -1, -1, -1, -1, 0, 0, 0, 0};
    byte[] huge = {LogRecord.PUT, 0x7f, -1, -1, -1, 0, 0, 0, 0};
    byte[] unknown = {6, 0, 0, 0, 1, 'k'};
    for (Crafted crafted :
        List.of(
            new Crafted(Kind.DATA, records, 1, 1, 3, 1), // a gap
            new Crafted(Kind.DATA, records, 1, 1, 1, 1), // once more
            new Crafted(Kind.DATA, records, 1, 1, 2, 2), // forced before it was written
            new Crafted(Kind.DATA, records, 0, 1, 2, 1),
            new Crafted(Kind.DATA, records, -1, 1, 2, 1),
            new Crafted(Kind.DATA, records, 2, 1, 2, 1),
            new Crafted(Kind.DATA, two, 1, 1, 2, 1),
            new Crafted(Kind.DATA, new byte[0], 1, 1, 2, 1),
            new Crafted(Kind.DATA, hostile, 1, 1, 2, 1),
            new Crafted(Kind.DATA, huge, 1, 1, 2, 1),
            new Crafted(Kind.DATA, unknown, 1, 1, 2, 1),
            new Crafted(Kind.OPEN, records, 0, 2, 2, 1),
            new Crafted(Kind.CLOSE, new byte[0], 1, 1, 2, 1))) {
      MemoryStorage storage = storeWith(crafted, 0);
      assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "expected");
    }
  }

  @Test
  @Checks("SequencedCommit!BatchAtomicInv")
  void refusesABatchThatIsNotExactlyItsWrites() throws IOException {
    assertThat(open(storeWith(batch(6, 1, LogRecord.REMOVE, 0, 0, 0, 1, 'k'), 0)).replayed())
        .containsExactly("a=1", "[-k]");
    assertThat(open(storeWith(batch(0, 0), 0)).replayed()).containsExactly("a=1", "[]");
    for (Crafted crafted :
        List.of(
            batch(5, 1, LogRecord.REMOVE, 0, 0, 0, 1, 'k'), // shorter than its writes
            batch(7, 1, LogRecord.REMOVE, 0, 0, 0, 1, 'k'), // longer than the frame
            batch(6, 0, LogRecord.REMOVE, 0, 0, 0, 1, 'k'), // a write too few
            batch(6, 2, LogRecord.REMOVE, 0, 0, 0, 1, 'k'), // a write too many
            batch(-1, 1, LogRecord.REMOVE, 0, 0, 0, 1, 'k'),
            batch(6, -1, LogRecord.REMOVE, 0, 0, 0, 1, 'k'),
            batch(6, Integer.MAX_VALUE, LogRecord.REMOVE, 0, 0, 0, 1, 'k'),
            batch(6, 1, LogRecord.REMOVE, 0, 0, 0, 2, 'k'), // a key that goes beyond the frame
            batch(6, 1, 6, 0, 0, 0, 1, 'k'), // an unknown kind
            batch(9, 1, LogRecord.BATCH, 0, 0, 0, 0, 0, 0, 0, 0), // a batch in a batch
            batch(10, 1, LogRecord.REMOVE_RANGE, 0, 0, 0, 1, 'k', 0, 0, 0, 1))) {
      MemoryStorage storage = storeWith(crafted, 0);
      assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "expected");
    }
  }

  private static Crafted batch(int length, int count, int... writes) {
    ByteBuffer payload = ByteBuffer.allocate(9 + writes.length);
    payload.put(LogRecord.BATCH).putInt(length).putInt(count);
    for (int part : writes) {
      payload.put((byte) part);
    }
    return new Crafted(Kind.DATA, payload.array(), 1, 1, 2, 1);
  }

  @Test
  @Checks("SequencedCommit!StaleTailNeverReplaysInv")
  void endsTheLogAtAFrameThatContinuesAnother() throws IOException {
    byte[] records = {LogRecord.REMOVE, 0, 0, 0, 1, 'k'};
    Crafted next = new Crafted(Kind.DATA, records, 1, 1, 2, 1);
    assertThat(open(storeWith(next, 0)).replayed()).containsExactly("a=1", "-k");
    assertThat(open(storeWith(next, 1)).replayed()).containsExactly("a=1");
    Crafted earlier = new Crafted(Kind.DATA, records, 1, 0, 2, 1);
    assertThat(open(storeWith(earlier, 0)).replayed()).containsExactly("a=1");
  }

  @Test
  void neverBelievesALengthThatASegmentCannotHold() throws IOException {
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, SEGMENT_BYTES}) {
      MemoryStorage storage = storeWith(new Crafted(Kind.DATA, new byte[0], 1, 1, 2, 1), 0);
      Frame honest = frameAt(storage, 1, SECOND_FRAME);
      Frame frame = new Frame(Kind.DATA, length, 0, honest.previousChecksum(), 1, 1, 2, 1);
      frame.encode(
          ByteBuffer.wrap(storage.files.get(SEGMENT_1)),
          SECOND_FRAME,
          new Checksums(LogFixture.STORE_ID),
          1,
          SECOND_FRAME);
      assertThat(open(storage).replayed()).containsExactly("a=1");
    }
  }

  /** A frame that carries all the right checksums. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Crafted(
      Kind kind, byte[] payload, int count, long incarnation, long firstLsn, long forcedLsn) {}

  /** A store with {@code a=1} and then the frame; {@code chainError} 0 chains it correctly. */
  private static MemoryStorage storeWith(Crafted crafted, int chainError) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = open(storage);
    opened.log().append(1, List.of(put("a", "1")));
    opened.log().force();
    opened.kill();
    ByteBuffer bytes = ByteBuffer.wrap(storage.files.get(SEGMENT_1));
    int payloadAt = SECOND_FRAME + Frame.HEADER_BYTES;
    bytes.put(payloadAt, crafted.payload());
    int payloadEnd = payloadAt + (int) Frame.filledUp(crafted.payload().length);
    new Frame(
            crafted.kind(),
            crafted.payload().length,
            Checksums.plain(storage.files.get(SEGMENT_1), payloadAt, payloadEnd),
            Frame.checksum(bytes, FIRST_FRAME) + chainError,
            crafted.count(),
            crafted.incarnation(),
            crafted.firstLsn(),
            crafted.forcedLsn())
        .encode(bytes, SECOND_FRAME, new Checksums(LogFixture.STORE_ID), 1, SECOND_FRAME);
    return storage;
  }

  @Test
  void oneValidSlotOfTheSuperblockIsEnoughAndTheNextClaimMendsTheOther() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened first = open(storage);
    first.log().append(1, List.of(put("a", "1")));
    first.close();
    for (int slot = 0; slot < Superblock.SLOTS; slot++) {
      fillSlot(storage, slot, 7);
      Opened opened = open(storage);
      assertThat(opened.replayed()).containsExactly("a=1");
      opened.close();
      for (int lost = 0; lost < Superblock.SLOTS; lost++) {
        MemoryStorage copy = new MemoryStorage(storage.files);
        fillSlot(copy, lost, 0);
        assertThat(Superblock.read(copy).lsn()).isEqualTo(1);
      }
    }
  }

  private static void fillSlot(MemoryStorage storage, int slot, int filler) {
    int from = slot * Superblock.SLOT_BYTES;
    byte[] bytes = storage.files.get(StoreFiles.SUPERBLOCK);
    Arrays.fill(bytes, from, from + Superblock.SLOT_BYTES, (byte) filler);
  }

  @Test
  void claimsTheIncarnationOnceOpenAndTheRecordsOnceSealedOrClosed() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = open(storage);
    assertClaims(storage, 1, 1, 0);
    opened.log().append(1, List.of(put("a", "1")));
    opened.log().force();
    assertClaims(storage, 1, 1, 0);
    opened.log().append(2, List.of(put("b", "x".repeat(4000)))); // in a segment of its own
    assertClaims(storage, 2, 1, 1);
    opened.close();
    assertClaims(storage, 3, 1, 2);
    open(storage).kill();
    assertThat(Superblock.read(storage).incarnation()).isEqualTo(2);
  }

  private static void assertClaims(
      MemoryStorage storage, long generation, long incarnation, long lsn) throws IOException {
    Superblock expected =
        new Superblock(
            LogFixture.STORE_ID,
            LogFixture.IDENTITY,
            generation,
            incarnation,
            lsn,
            Checkpoint.NONE);
    assertThat(Superblock.read(storage)).isEqualTo(expected);
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void aClaimProvesWhatIsMissingAtTheEndOfTheLog() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = open(storage);
    opened.log().append(1, List.of(put("a", "1")));
    opened.close();
    byte[] bytes = storage.files.get(SEGMENT_1);
    Arrays.fill(bytes, FIRST_FRAME, bytes.length, (byte) 0);
    assertRefused(
        storage,
        CorruptStoreException.class,
        SEGMENT_1 + ", offset " + FIRST_FRAME,
        "expected frames up to incarnation 1 and LSN 1");
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void aLogThatLostAllItsFramesIsNeverTakenForANewOne() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).kill();
    Arrays.fill(storage.files.get(SEGMENT_1), SegmentHeader.BYTES, SEGMENT_BYTES, (byte) 0);
    assertRefused(
        storage,
        CorruptStoreException.class,
        SEGMENT_1 + ", offset " + SegmentHeader.BYTES,
        "the log ends with incarnation 0 and LSN 0");
  }

  @Test
  void anOlderSuperblockClaimsLessAndStillOpens() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).kill();
    byte[] older = storage.files.get(StoreFiles.SUPERBLOCK).clone();
    Opened second = open(storage);
    second.log().append(1, List.of(put("a", "1")));
    second.close();
    storage.files.put(StoreFiles.SUPERBLOCK, older);
    Opened third = open(storage);
    assertThat(third.replayed()).containsExactly("a=1");
    third.close();
    assertThat(Superblock.read(storage).incarnation()).isEqualTo(3);
    assertThat(Superblock.read(storage).lsn()).isEqualTo(1);
  }

  @Test
  void refusesTheSuperblockOfAnotherStore() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    byte[] bytes = storage.files.get(StoreFiles.SUPERBLOCK);
    for (int slot = 0; slot < Superblock.SLOTS; slot++) {
      byte[] other =
          new Superblock(new UUID(1, 2), LogFixture.IDENTITY, slot, 0, 0, Checkpoint.NONE).encode();
      System.arraycopy(other, 0, bytes, slot * Superblock.SLOT_BYTES, other.length);
    }
    assertRefused(storage, CorruptStoreException.class, SEGMENT_1, new UUID(1, 2).toString());
  }

  @Test
  void refusesSlotsOfDifferentStores() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    byte[] other =
        new Superblock(new UUID(1, 2), LogFixture.IDENTITY, 1, 0, 0, Checkpoint.NONE).encode();
    byte[] bytes = storage.files.get(StoreFiles.SUPERBLOCK);
    System.arraycopy(other, 0, bytes, Superblock.SLOT_BYTES, other.length);
    assertRefused(storage, CorruptStoreException.class, StoreFiles.SUPERBLOCK, "second slot");
  }

  @Test
  void ignoresASlotThatWasWrittenForTheOtherPlace() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    byte[] bytes = storage.files.get(StoreFiles.SUPERBLOCK);
    System.arraycopy(bytes, Superblock.SLOT_BYTES, bytes, 0, Superblock.SLOT_BYTES);
    assertThat(Superblock.read(storage).generation()).isEqualTo(1);
  }

  @Test
  void refusesAStoreOfOtherCodecs() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    StoreIdentity other = new StoreIdentity("string", 1, "long", 2);
    Map<String, byte[]> before = new MemoryStorage(storage.files).files;
    assertThatThrownBy(
            () -> StoreDirectory.open(storage, other, SEGMENT_BYTES, ProtocolEvents.NONE))
        .isInstanceOf(IncompatibleStoreException.class)
        .hasMessageContaining(StoreFiles.SUPERBLOCK)
        .hasMessageContaining(LogFixture.IDENTITY.toString())
        .hasMessageContaining("value codec long version 2");
    assertThat(storage.files).containsExactlyEntriesOf(before);
  }

  @Test
  void refusesANewerFormat() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    byte[] slot = Arrays.copyOf(storage.files.get(StoreFiles.SUPERBLOCK), Superblock.SLOT_BYTES);
    slot[11] = 3;
    writeInt(slot, Superblock.SLOT_BYTES - 4, Checksums.plain(slot, 0, slot.length - 4));
    System.arraycopy(slot, 0, storage.files.get(StoreFiles.SUPERBLOCK), 0, slot.length);
    assertRefused(
        storage, IncompatibleStoreException.class, StoreFiles.SUPERBLOCK, "format version 3");
  }

  @Test
  void refusesANewerFormatOfASegment() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).close();
    byte[] newer = new SegmentHeader(3, 1, LogFixture.STORE_ID, 1, SEGMENT_BYTES, 0, 0).encode();
    System.arraycopy(newer, 0, storage.files.get(SEGMENT_1), 0, newer.length);
    assertRefused(storage, IncompatibleStoreException.class, SEGMENT_1, "format version 3");
  }

  @Test
  void refusesHeadersThatAreValidButDoNotBelongThere() throws IOException {
    UUID id = LogFixture.STORE_ID;
    for (SegmentHeader header :
        List.of(
            new SegmentHeader(2, 2, id, 1, SEGMENT_BYTES, 0, 0),
            new SegmentHeader(2, 1, new UUID(1, 2), 1, SEGMENT_BYTES, 0, 0),
            new SegmentHeader(2, 1, id, 2, SEGMENT_BYTES, 0, 0),
            new SegmentHeader(2, 1, id, 1, -1, 0, 0),
            new SegmentHeader(2, 1, id, 1, SEGMENT_BYTES, 1, 0),
            new SegmentHeader(2, 1, id, 1, SEGMENT_BYTES, 0, 1),
            new SegmentHeader(2, 1, id, 1, SEGMENT_BYTES + 1, 0, 0))) {
      MemoryStorage storage = new MemoryStorage();
      open(storage).close();
      System.arraycopy(header.encode(), 0, storage.files.get(SEGMENT_1), 0, SegmentHeader.BYTES);
      assertRefused(storage, CorruptStoreException.class, SEGMENT_1, "expected");
    }
  }

  @Test
  void refusesForeignFilesWithoutAStoreAndKeepsThoseBesideOne() throws IOException {
    MemoryStorage storage =
        new MemoryStorage(Map.of("notes.txt", new byte[3], "LOCK", new byte[0]));
    assertRefused(storage, IncompatibleStoreException.class, "notes.txt", "empty");
    MemoryStorage store = new MemoryStorage();
    open(store).close();
    store.files.put("notes.txt", new byte[3]);
    open(store).close();
    assertThat(store.files).containsEntry("notes.txt", new byte[3]);
  }

  @Test
  void neverTakesAStoreWithoutASuperblockForAnInterruptedCreation() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    open(storage).kill();
    storage.files.remove(StoreFiles.SUPERBLOCK);
    assertRefused(storage, CorruptStoreException.class, StoreFiles.SUPERBLOCK, "expected");
    storage.files.put(StoreFiles.SUPERBLOCK, new byte[2 * Superblock.SLOT_BYTES]);
    assertRefused(storage, CorruptStoreException.class, StoreFiles.SUPERBLOCK, "expected");
    storage.files.remove(SEGMENT_1);
    assertRefused(storage, CorruptStoreException.class, StoreFiles.SUPERBLOCK, "expected");
  }

  @Test
  void reportsAGapBetweenSegments() throws IOException {
    MemoryStorage storage = storeOfFourSegments();
    storage.files.remove(StoreFiles.segment(3));
    assertRefused(storage, CorruptStoreException.class, StoreFiles.segment(3), "missing");
  }

  private static MemoryStorage storeOfFourSegments() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = open(storage);
    for (int i = 0; i < 3; i++) {
      opened.log().append(i + 1, List.of(put("a", "x".repeat(4000))));
    }
    opened.close();
    assertThat(storage.files).containsKey(StoreFiles.segment(4)).hasSize(5);
    return storage;
  }

  private static void assertRefused(
      MemoryStorage storage, Class<? extends Exception> type, String file, String expectation) {
    Map<String, byte[]> before = new TreeMap<>(new MemoryStorage(storage.files).files);
    assertThatThrownBy(() -> open(storage))
        .isInstanceOf(type)
        .hasMessageContaining(storage.locate(""))
        .hasMessageContaining(file)
        .hasMessageContaining(expectation);
    assertThat(storage.files).containsExactlyEntriesOf(before);
  }

  private static Frame frameAt(MemoryStorage storage, int number, int offset) {
    return Frame.decode(
        ByteBuffer.wrap(storage.files.get(StoreFiles.segment(number))),
        offset,
        new Checksums(LogFixture.STORE_ID),
        number,
        offset);
  }

  private static void writeInt(byte[] bytes, int at, int value) {
    ByteBuffer.wrap(bytes).putInt(at, value);
  }

  private static Opened open(MemoryStorage storage) throws IOException {
    return LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
  }
}
