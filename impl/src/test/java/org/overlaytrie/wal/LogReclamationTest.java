package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.wal.LogFixture.SEGMENT_BYTES;
import static org.overlaytrie.wal.LogFixture.put;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.LogFixture.Opened;

/**
 * A checkpoint lets the log begin later; what is still needed stays, and its loss is noticed. There
 * is no image here: what a checkpoint covers is not replayed, and that is all.
 */
class LogReclamationTest {
  private static final int RECORDS = 6;

  private final MemoryStorage storage = new MemoryStorage();
  private Opened opened;

  /** Segment i holds record i alone; the last one, 6, is being written. */
  @BeforeEach
  void fillSixSegments() throws IOException {
    opened = open(storage);
    for (int lsn = 1; lsn <= RECORDS; lsn++) {
      opened.log().append(lsn, List.of(put("k" + lsn, "x".repeat(3_500))));
      opened.log().force();
    }
    assertThat(segments(storage)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  private static Opened open(MemoryStorage storage) throws IOException {
    return LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
  }

  private static List<Integer> segments(MemoryStorage storage) {
    List<Integer> numbers = new ArrayList<>();
    for (String name : storage.files.keySet()) {
      StoreFiles.segmentNumber(name).ifPresent(numbers::add);
    }
    return numbers;
  }

  private static Checkpoint checkpoint(long lsn) {
    return new Checkpoint(lsn, 0, 0, 0, 1);
  }

  private static List<String> replayedKeys(Opened opened) {
    return opened.replayed().stream().map(record -> record.substring(0, 2)).toList();
  }

  @Test
  @Checks({
    "WatermarkReclamation!NoNeededRecordReclaimedInv",
    "WatermarkReclamation!LogStaysBoundedProp"
  })
  void deletesTheSegmentsThatACheckpointCoversAndReplaysTheOthers() throws IOException {
    long before = opened.store().logBytes();
    opened.store().publish(checkpoint(3));
    assertThat(segments(storage)).as("not by publishing").hasSize(RECORDS);
    opened.store().reclaimLog();
    assertThat(segments(storage)).containsExactly(4, 5, 6);
    assertThat(opened.store().logBytes()).isEqualTo(before - 3L * SEGMENT_BYTES);
    opened.kill();
    Opened reopened = open(storage);
    assertThat(replayedKeys(reopened)).containsExactly("k4", "k5", "k6");
    assertThat(reopened.store().checkpoint()).isEqualTo(checkpoint(3));
    assertThat(reopened.log().lastLsn()).isEqualTo(RECORDS);
    assertThat(reopened.log().incarnation()).isEqualTo(2);
    reopened.close();
  }

  @Test
  void keepsTheSegmentBeingWrittenAndGoesOnInIt() throws IOException {
    opened.store().publish(checkpoint(RECORDS));
    opened.store().reclaimLog();
    assertThat(segments(storage)).containsExactly(RECORDS);
    for (int life = 1; life <= 10; life++) {
      opened.log().append(opened.log().lastLsn() + 1, List.of(put("k7", "x".repeat(1_000))));
      opened.log().force();
      if (life % 2 == 0) {
        opened.close();
      } else {
        opened.kill();
      }
      opened = open(storage);
      assertThat(opened.replayed()).hasSize(life);
    }
    opened.close();
  }

  @Test
  @Checks("WatermarkReclamation!ReclaimBelowBoundInv")
  void deletesNothingThatTheOtherSlotNeeds() throws IOException {
    opened.store().publish(checkpoint(4));
    assertThat(opened.store().checkpoint()).isEqualTo(checkpoint(4));
    storage.failChanges(2); // the other slot is written and forced first
    assertThatThrownBy(() -> opened.store().reclaimLog()).isInstanceOf(IOException.class);
    storage.failChanges(Long.MAX_VALUE);
    assertThat(segments(storage)).containsExactly(1, 2, 3, 4, 5, 6);
    opened.store().reclaimLog();
    assertThat(segments(storage)).as("both slots know").containsExactly(5, 6);
    opened.close();
  }

  @Test
  @Checks("WatermarkReclamation!EitherSlotSufficesInv")
  void opensWithEitherSlotAloneAfterEveryStep() throws IOException {
    opened.store().publish(checkpoint(2));
    opened.store().reclaimLog();
    List<MemoryStorage> moments = new ArrayList<>();
    moments.add(new MemoryStorage(storage.files));
    for (int step = 0; step < 8; step++) {
      storage.failChanges(step);
      try {
        opened.store().publish(checkpoint(5));
        opened.store().reclaimLog();
      } catch (IOException killed) {
        // here
      }
      moments.add(new MemoryStorage(storage.files));
    }
    assertThat(segments(moments.get(moments.size() - 1))).containsExactly(6);
    int torn = 0;
    for (MemoryStorage moment : moments) {
      for (int lost = 0; lost < Superblock.SLOTS; lost++) {
        MemoryStorage damaged = new MemoryStorage(moment.files);
        fillSlot(damaged, lost);
        if (Superblock.read(damaged) == null) {
          torn++; // a crash tore the slot that is left: two faults at once
          continue;
        }
        Opened again = open(damaged);
        long covered = again.store().checkpoint().lsn();
        assertThat(covered).isIn(2L, 5L);
        assertThat(again.replayed()).hasSize(RECORDS - (int) covered);
        again.close();
      }
    }
    assertThat(torn).as("one in each slot").isEqualTo(2);
  }

  @Test
  @Checks("WatermarkReclamation!EitherSlotSufficesInv")
  void aCrashNeverLosesTheOnlySlotThatIsLeft() throws IOException {
    opened.store().publish(checkpoint(2));
    opened.close();
    for (int lost = 0; lost < Superblock.SLOTS; lost++) {
      MemoryStorage damaged = new MemoryStorage(storage.files);
      fillSlot(damaged, lost);
      MemoryStorage probe = new MemoryStorage(damaged.files);
      open(probe).kill();
      for (long change = 0; change < probe.changes(); change++) {
        MemoryStorage dying = new MemoryStorage(damaged.files).killedAt(change);
        assertThatThrownBy(() -> open(dying)).isInstanceOf(IOException.class);
        open(new MemoryStorage(dying.files)).close();
      }
    }
  }

  private static void fillSlot(MemoryStorage damaged, int slot) {
    Arrays.fill(
        damaged.files.get(StoreFiles.SUPERBLOCK),
        slot * Superblock.SLOT_BYTES,
        (slot + 1) * Superblock.SLOT_BYTES,
        (byte) 7);
  }

  @Test
  @Checks("WatermarkReclamation!RetainedIsContiguousInv")
  void deletesOldestFirstAndGoesOnAfterAFailure() throws IOException {
    opened.store().publish(checkpoint(5));
    opened.store().slots().nameInBoth();
    for (int step = 0; segments(storage).size() > 1; step++) {
      storage.failChanges(step % 2); // a deletion, then the force of it
      assertThatThrownBy(() -> opened.store().reclaimLog()).isInstanceOf(IOException.class);
      storage.failChanges(Long.MAX_VALUE);
      List<Integer> left = segments(storage);
      assertThat(left).isEqualTo(List.of(1, 2, 3, 4, 5, 6).subList(RECORDS - left.size(), RECORDS));
      open(new MemoryStorage(storage.files)).close();
    }
    opened.store().reclaimLog();
    assertThat(opened.store().logBytes()).isEqualTo(SEGMENT_BYTES);
    opened.close();
  }

  @Test
  @Checks("WatermarkReclamation!RecoveredEqualsVisibleInv")
  void noticesThatASegmentIsMissingWhichIsNeeded() throws IOException {
    opened.store().publish(checkpoint(2));
    opened.store().reclaimLog();
    opened.close();
    for (int missing = 3; missing <= RECORDS; missing++) {
      MemoryStorage damaged = new MemoryStorage(storage.files);
      damaged.files.remove(StoreFiles.segment(missing));
      Map<String, byte[]> before = new MemoryStorage(damaged.files).files;
      assertThatThrownBy(() -> open(damaged))
          .as("segment " + missing)
          .isInstanceOf(CorruptStoreException.class);
      assertThat(damaged.files).containsExactlyEntriesOf(before);
    }
  }

  @Test
  void aSegmentThatSomebodyHasDeletedStopsNothing() throws IOException {
    storage.files.remove(StoreFiles.segment(1));
    opened.store().publish(checkpoint(3));
    opened.store().reclaimLog();
    assertThat(segments(storage)).containsExactly(4, 5, 6);
    opened.close();
  }

  @Test
  void aStoreWithoutACheckpointNeedsItsFirstSegment() throws IOException {
    opened.close();
    storage.files.remove(StoreFiles.segment(1));
    assertThatThrownBy(() -> open(storage))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining(StoreFiles.segment(1));
  }

  @Test
  void whatACrashLeftBehindAGapIsNeededByNobody() throws IOException {
    MemoryStorage leftBehind = new MemoryStorage(storage.files);
    opened.store().publish(checkpoint(4));
    opened.store().reclaimLog();
    opened.kill();
    storage.files.put(StoreFiles.segment(2), leftBehind.files.get(StoreFiles.segment(2)));
    Opened again = open(storage);
    assertThat(replayedKeys(again)).containsExactly("k5", "k6");
    again.close();
  }

  @Test
  void aCheckpointIsAClaimToo() throws IOException {
    opened.store().publish(checkpoint(RECORDS));
    opened.kill();
    byte[] last = storage.files.get(StoreFiles.segment(RECORDS));
    Arrays.fill(last, SegmentHeader.BYTES, last.length, (byte) 0);
    assertThatThrownBy(() -> open(storage)).isInstanceOf(CorruptStoreException.class);
  }
}
