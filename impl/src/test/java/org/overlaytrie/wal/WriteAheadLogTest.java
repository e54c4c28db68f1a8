package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.wal.LogFixture.SEGMENT_BYTES;
import static org.overlaytrie.wal.LogFixture.put;
import static org.overlaytrie.wal.LogFixture.remove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.wal.LogFixture.Opened;

class WriteAheadLogTest {

  @TempDir Path directory;

  @Test
  void aNewStoreIsEmptyAndInItsFirstIncarnation() throws IOException {
    Opened opened = LogFixture.open(directory);
    assertThat(opened.replayed()).isEmpty();
    assertThat(opened.log().lastLsn()).isZero();
    assertThat(opened.log().incarnation()).isEqualTo(1);
    opened.close();
    assertThat(LogFixture.content(directory)).isEmpty();
  }

  @Test
  void replaysEveryRecordInOrderOverManySegmentsAndIncarnations() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> expected = new ArrayList<>();
    for (int incarnation = 1; incarnation <= 25; incarnation++) {
      Opened opened = LogFixture.open(directory);
      assertThat(opened.replayed()).as("seed %d", seed).isEqualTo(expected);
      assertThat(opened.log().incarnation()).isEqualTo(incarnation);
      assertThat(opened.log().lastLsn()).isEqualTo(expected.size());
      for (int flush = random.nextInt(4); flush > 0; flush--) {
        List<LogRecord> records = randomRecords(random);
        opened.log().append(opened.log().lastLsn() + 1, records);
        opened.log().force();
        records.forEach(record -> expected.add(LogFixture.describe(record)));
      }
      if (random.nextBoolean()) {
        opened.close();
      } else {
        opened.kill();
      }
    }
    assertThat(directory.resolve("wal-00000003.log")).exists();
  }

  private static List<LogRecord> randomRecords(Random random) {
    List<LogRecord> records = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      String key = "k".repeat(random.nextInt(20)) + i;
      int size = random.nextInt(10) == 0 ? 3 * SEGMENT_BYTES : 400;
      records.add(
          random.nextInt(4) == 0 ? remove(key) : put(key, "v".repeat(random.nextInt(size))));
    }
    return records;
  }

  @Test
  void opensAndClosesAnUnchangedStoreForEver() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    for (int incarnation = 1; incarnation <= 200; incarnation++) {
      Opened opened = LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
      assertThat(opened.log().incarnation()).isEqualTo(incarnation);
      assertThat(opened.replayed()).isEmpty();
      opened.close();
    }
    assertThat(storage.files).containsKey("wal-00000006.log");
  }

  @Test
  void takesTheLongestKeyAndLargeValues() throws IOException {
    byte[] key = new byte[LogRecord.MAX_KEY_BYTES];
    byte[] value = new byte[1 << 24];
    new Random(1).nextBytes(key);
    new Random(2).nextBytes(value);
    int segmentBytes = 1 << 20;
    Opened opened = LogFixture.open(FileStorage.open(directory), segmentBytes, ProtocolEvents.NONE);
    opened.log().append(1, List.of(put("before", "1"), new LogRecord.Put(key, value)));
    opened.log().append(3, List.of(put("after", "2")));
    opened.log().force();
    opened.kill();

    List<LogRecord> replayed = new ArrayList<>();
    try (FileStorage storage = FileStorage.open(directory)) {
      StoreDirectory store =
          StoreDirectory.open(storage, LogFixture.IDENTITY, segmentBytes, ProtocolEvents.NONE);
      WriteAheadLog.open(store, replayed::add).close();
    }
    assertThat(replayed).hasSize(3);
    LogRecord.Put large = (LogRecord.Put) replayed.get(1);
    assertThat(large.key()).isEqualTo(key);
    assertThat(large.value()).isEqualTo(value);
    assertThat(LogFixture.describe(replayed.get(2))).isEqualTo("after=2");
    assertThat(Files.size(directory.resolve("wal-00000002.log"))).isGreaterThan(value.length);
  }

  @Test
  void tellsTheStepsOfTheProtocol() throws IOException {
    RecordedEvents events = new RecordedEvents();
    MemoryStorage storage = new MemoryStorage();
    Opened opened = LogFixture.open(storage, SEGMENT_BYTES, events);
    assertThat(events.takeAll())
        .containsExactly("readLog 0", "openIncarnation 1", "finishRecovery 0");

    opened.log().append(1, List.of(put("a", "1"), remove("a")));
    opened.log().force();
    assertThat(events.takeAll()).containsExactly("writeFrame 1 1 2", "forceLog 2");

    // one frame each, as together they would exceed an eighth of the segment
    opened.log().append(3, List.of(put("b", "v".repeat(300)), put("c", "v".repeat(300))));
    assertThat(events.takeAll()).containsExactly("writeFrame 1 3 3", "writeFrame 1 4 4");

    // the second of these needs a new segment, and the old one is forced before it is left
    opened.log().append(5, List.of(put("d", "v".repeat(300)), put("e", "v".repeat(3500))));
    opened.log().force();
    assertThat(events.takeAll())
        .containsExactly("writeFrame 1 5 5", "forceLog 5", "writeFrame 1 6 6", "forceLog 6");

    opened.log().append(7, List.of(remove("b")));
    opened.close();
    assertThat(events.takeAll())
        .containsExactly("writeFrame 1 7 7", "forceLog 7", "writeClose 7", "forceLog 7");

    LogFixture.open(storage, SEGMENT_BYTES, events);
    assertThat(events.takeAll())
        .containsExactly("readLog 7", "openIncarnation 2", "finishRecovery 7");
  }

  @Test
  void closesWithOneFrameAndOneClaimIfAllIsDurable() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
    opened.log().append(1, List.of(put("a", "1")));
    opened.log().force();
    long before = storage.changes();
    opened.close();
    assertThat(storage.changes() - before).isEqualTo(4); // each written and forced
  }

  @Test
  void writesNoClaimWhileASegmentFills() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
    long before = storage.changes();
    for (int lsn = 1; lsn <= 10; lsn++) {
      opened.log().append(lsn, List.of(put("a", "1")));
      opened.log().force();
    }
    assertThat(storage.changes() - before).isEqualTo(20);
  }

  @Test
  void refusesRecordsOutOfOrder() throws IOException {
    Opened opened = LogFixture.open(directory);
    opened.log().append(1, List.of(put("a", "1")));
    for (long lsn : new long[] {0, 1, 3}) {
      assertThatThrownBy(() -> opened.log().append(lsn, List.of(put("b", "2"))))
          .isInstanceOf(IllegalArgumentException.class);
    }
    opened.log().append(2, List.of(put("c", "3")));
    opened.close();
    assertThat(LogFixture.content(directory)).containsExactly("a=1", "c=3");
  }

  @Test
  void refusesEverythingOnceClosedOrAbandoned() throws IOException {
    for (boolean closed : new boolean[] {true, false}) {
      Opened opened = LogFixture.open(directory);
      if (closed) {
        opened.close();
      } else {
        opened.kill();
      }
      assertUnusable(opened.log());
      opened.log().abandon();
    }
  }

  @Test
  void neverTriesAgainOnceAStepHasFailed() throws IOException {
    MemoryStorage probe = new MemoryStorage();
    LogFixture.open(probe, SEGMENT_BYTES, ProtocolEvents.NONE);
    long opening = probe.changes();
    for (long change = opening; change < opening + 2; change++) {
      Opened opened =
          LogFixture.open(new MemoryStorage().killedAt(change), SEGMENT_BYTES, ProtocolEvents.NONE);
      assertThatThrownBy(
              () -> {
                opened.log().append(1, List.of(put("a", "1")));
                opened.log().force();
              })
          .isInstanceOf(MemoryStorage.Killed.class);
      assertUnusable(opened.log());
    }
  }

  private static void assertUnusable(WriteAheadLog log) {
    List<LogRecord> records = List.of(put("z", "1"));
    assertThatThrownBy(() -> log.append(log.lastLsn() + 1, records))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(log::force).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(log::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesSegmentSizesOutOfRange() {
    for (int bytes : new int[] {-1, SEGMENT_BYTES - 1, WriteAheadLog.MAX_SEGMENT_BYTES + 1}) {
      MemoryStorage storage = new MemoryStorage();
      assertThatThrownBy(() -> LogFixture.open(storage, bytes, ProtocolEvents.NONE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(storage.files).isEmpty();
    }
  }

  /** Writes the events down. */
  private static final class RecordedEvents implements ProtocolEvents {
    private final List<String> events = new ArrayList<>();

    List<String> takeAll() {
      List<String> taken = List.copyOf(events);
      events.clear();
      return taken;
    }

    @Override
    public void writeFrame(long incarnation, long firstLsn, long lastLsn) {
      events.add("writeFrame " + incarnation + " " + firstLsn + " " + lastLsn);
    }

    @Override
    public void forceLog(long lastLsn) {
      events.add("forceLog " + lastLsn);
    }

    @Override
    public void writeClose(long lastLsn) {
      events.add("writeClose " + lastLsn);
    }

    @Override
    public void readLog(long lastLsn) {
      events.add("readLog " + lastLsn);
    }

    @Override
    public void openIncarnation(long incarnation) {
      events.add("openIncarnation " + incarnation);
    }

    @Override
    public void finishRecovery(long lastLsn) {
      events.add("finishRecovery " + lastLsn);
    }
  }
}
