package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.overlaytrie.wal.LogFixture.batch;
import static org.overlaytrie.wal.LogFixture.put;
import static org.overlaytrie.wal.LogFixture.remove;
import static org.overlaytrie.wal.LogFixture.removeRange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.LogFixture.Opened;

/**
 * A store with one damaged file opens with exactly its content, or not at all: then the exception
 * names the file, and no file was changed. Where a crash came before the damage, the last flush may
 * be missing, as nothing in the files says whether it was durable.
 */
@Checks({
  "SequencedCommit!RecoveredIsPrefixInv",
  "SequencedCommit!NoInventedWriteInv",
  "SequencedCommit!NoLostWriteInv"
})
class DamageTest {

  private static final int SECTOR = 512;

  /**
   * A store's files.
   *
   * @param content all its records
   * @param proven how many of them every later open must find or report
   */
  private record Store(Map<String, byte[]> files, List<String> content, int proven) {}

  @Test
  void aClosedStoreSurvivesOrReportsEveryDamagedByte() throws IOException {
    surviveOrReportEveryDamagedByte(closedStore());
  }

  @Test
  void aKilledStoreSurvivesOrReportsEveryDamagedByte() throws IOException {
    surviveOrReportEveryDamagedByte(killedStore());
  }

  @Test
  void aClosedStoreSurvivesOrReportsEveryTruncation() throws IOException {
    surviveOrReportEveryTruncation(closedStore());
  }

  @Test
  void aKilledStoreSurvivesOrReportsEveryTruncation() throws IOException {
    surviveOrReportEveryTruncation(killedStore());
  }

  @Test
  void aClosedStoreReportsEveryMissingFile() throws IOException {
    Store store = closedStore();
    for (String name : store.files().keySet()) {
      Map<String, byte[]> damaged = new TreeMap<>(store.files());
      damaged.remove(name);
      assertThat(openDamaged(store, name, damaged)).as("without %s", name).isFalse();
    }
  }

  /**
   * Disks lose whole sectors, and file systems whole pages: what proves a frame must not be lost
   * with it.
   */
  @Test
  void aClosedStoreSurvivesOrReportsEveryLostStretch() throws IOException {
    surviveOrReportEveryLostStretch(closedStore());
    surviveOrReportEveryLostStretch(closedStoreOfOneSegment());
  }

  /** Behind the last claim, the flushes at the end of the log may be missing; none before it. */
  @Test
  void aKilledStoreKeepsWhatWasClaimedOrReportsEveryLostStretch() throws IOException {
    Store store = killedStore();
    long claimed = Superblock.read(new MemoryStorage(store.files())).lsn();
    assertThat(claimed).isBetween(1L, store.content().size() - 1L);
    surviveOrReportEveryLostStretch(new Store(store.files(), store.content(), (int) claimed));
  }

  private static void surviveOrReportEveryLostStretch(Store store) throws IOException {
    int reported = 0;
    for (String name : store.files().keySet()) {
      byte[] bytes = store.files().get(name);
      for (int from = 0; from < bytes.length; from += SECTOR) {
        for (int to = from + SECTOR; to <= bytes.length; to += SECTOR) {
          for (int filler : new int[] {0, 0xff}) {
            byte[] copy = bytes.clone();
            Arrays.fill(copy, from, to, (byte) filler);
            String what = name + " from " + from + " to " + to + " is " + filler;
            reported += check(store, name, copy, what) ? 0 : 1;
          }
        }
      }
    }
    assertThat(reported).isGreaterThan(50);
  }

  @Test
  void aClosedStoreReportsASegmentThatIsZerosBehindItsHeader() throws IOException {
    for (Store store : List.of(closedStore(), closedStoreOfOneSegment())) {
      for (String name : store.files().keySet()) {
        if (!name.equals(StoreFiles.SUPERBLOCK)) {
          byte[] bytes = store.files().get(name).clone();
          Arrays.fill(bytes, SegmentHeader.BYTES, bytes.length, (byte) 0);
          assertThat(check(store, name, bytes, name)).as(name).isFalse();
        }
      }
    }
  }

  /** All of the frames in one page, with the proof behind them. */
  private static Store closedStoreOfOneSegment() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    History history = new History(storage);
    Opened opened = open(storage);
    history.flush(opened.log(), put("a", "1"));
    history.flush(opened.log(), put("b", "2"));
    opened.close();
    assertThat(storage.files).hasSize(2);
    return new Store(storage.files, history.content, history.content.size());
  }

  @Test
  void damageAfterAKillAtAnyPointIsSurvivedOrReported() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long changes = new History(new MemoryStorage()).run().storage.changes();
    assertThat(changes).isGreaterThan(60);
    int reported = 0;
    for (long kill = 0; kill < changes; kill++) {
      Store store = historyKilledAt(kill);
      List<String> names = List.copyOf(store.files().keySet());
      for (int i = 0; i < 300 && !names.isEmpty(); i++) {
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = store.files().get(name).clone();
        if (bytes.length == 0) {
          continue;
        }
        int used = Math.min(bytes.length, random.nextBoolean() ? 300 : bytes.length);
        int at = random.nextInt(used);
        bytes[at] = (byte) random.nextInt(256);
        reported +=
            check(store, name, bytes, "seed " + seed + ", kill " + kill + ", " + name + " at " + at)
                ? 0
                : 1;
      }
    }
    assertThat(reported).isGreaterThan(1000);
  }

  private static void surviveOrReportEveryDamagedByte(Store store) throws IOException {
    int survived = 0;
    int reported = 0;
    for (String name : store.files().keySet()) {
      byte[] bytes = store.files().get(name);
      for (int at = 0; at < bytes.length; at++) {
        for (byte damaged : damagesOf(bytes[at])) {
          byte[] copy = bytes.clone();
          copy[at] = damaged;
          boolean opened = check(store, name, copy, name + " at " + at + " became " + damaged);
          survived += opened ? 1 : 0;
          reported += opened ? 0 : 1;
        }
      }
    }
    assertThat(survived).isGreaterThan(10_000);
    assertThat(reported).isGreaterThan(10_000);
  }

  private static Set<Byte> damagesOf(byte original) {
    Set<Byte> damages =
        new TreeSet<>(
            Arrays.asList( // with duplicates
                (byte) 0x00,
                (byte) 0xff,
                (byte) (original ^ 0x01),
                (byte) (original ^ 0x80),
                (byte) (original ^ 0xff)));
    damages.remove(original);
    return damages;
  }

  private static void surviveOrReportEveryTruncation(Store store) throws IOException {
    int reported = 0;
    for (String name : store.files().keySet()) {
      byte[] bytes = store.files().get(name);
      for (int length = 0; length < bytes.length; length++) {
        byte[] copy = Arrays.copyOf(bytes, length);
        reported += check(store, name, copy, name + " cut to " + length) ? 0 : 1;
      }
    }
    assertThat(reported).isGreaterThan(10_000);
  }

  /** Whether the damaged store opens. */
  private static boolean check(Store store, String name, byte[] bytes, String what)
      throws IOException {
    Map<String, byte[]> damaged = new TreeMap<>(store.files());
    damaged.put(name, bytes);
    try {
      return openDamaged(store, name, damaged);
    } catch (RuntimeException | AssertionError e) {
      return fail(what, e);
    }
  }

  private static boolean openDamaged(Store store, String name, Map<String, byte[]> damaged)
      throws IOException {
    MemoryStorage storage = new MemoryStorage(damaged);
    try {
      Opened opened = open(storage);
      List<String> found = opened.replayed();
      if (!found.equals(store.content())) {
        assertThat(found.size()).isGreaterThanOrEqualTo(store.proven());
        assertThat(found).isEqualTo(store.content().subList(0, found.size()));
      }
      assertGoesOn(storage, opened);
      return true;
    } catch (CorruptStoreException e) {
      if (!e.file().equals(storage.locate(name))) {
        assertThat(e.file()).isEqualTo(interruptedCreation(storage));
      }
      assertThat(e.getMessage()).startsWith(e.file() + ", offset " + e.offset() + ": expected");
      damaged.forEach((file, bytes) -> assertThat(storage.files.get(file)).isEqualTo(bytes));
      assertThat(storage.files).hasSameSizeAs(damaged);
      return false;
    }
  }

  /** What the opened store writes is found behind what it found. */
  private static void assertGoesOn(MemoryStorage storage, Opened opened) throws IOException {
    opened.log().append(opened.log().lastLsn() + 1, List.of(put("new", "value")));
    opened.close();
    List<String> expected = new ArrayList<>(opened.replayed());
    expected.add("new=value");
    assertThat(open(storage).replayed()).isEqualTo(expected);
  }

  /** While a store is being created, it is the missing superblock that is reported. */
  private static String interruptedCreation(MemoryStorage storage) throws IOException {
    boolean created =
        storage.files.containsKey(StoreFiles.SUPERBLOCK) && Superblock.read(storage) != null;
    return created ? "" : storage.locate(StoreFiles.SUPERBLOCK);
  }

  private static Opened open(MemoryStorage storage) throws IOException {
    return LogFixture.open(storage, LogFixture.SEGMENT_BYTES, ProtocolEvents.NONE);
  }

  private static Store closedStore() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    List<String> content = new History(storage).run().content;
    assertThat(storage.files).hasSizeGreaterThan(3);
    return new Store(storage.files, content, content.size());
  }

  /** A store whose process was killed right after a flush of two frames. */
  private static Store killedStore() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    History history = new History(storage).run();
    Opened opened = open(storage);
    history.flush(opened.log(), put("x".repeat(400), "1"), put("y", "z".repeat(400)));
    return new Store(storage.files, history.content, history.flushedBefore);
  }

  /** A store whose process was killed at its change number {@code kill}. */
  private static Store historyKilledAt(long kill) throws IOException {
    MemoryStorage storage = new MemoryStorage().killedAt(kill);
    History history = new History(storage);
    assertThatThrownBy(history::run).isInstanceOf(MemoryStorage.Killed.class);
    List<String> found = open(new MemoryStorage(storage.files)).replayed();
    assertThat(found.size()).isGreaterThanOrEqualTo(history.acknowledged);
    assertThat(found).isEqualTo(history.content.subList(0, found.size()));
    return new Store(storage.files, found, history.flushedBefore);
  }

  /** Three incarnations over several segments. */
  private static final class History {
    final MemoryStorage storage;
    final List<String> content = new ArrayList<>();
    int acknowledged;

    /**
     * The records before the last flush but one: those behind may have no frame that proves them.
     */
    int flushedBefore;

    private int lastFlush;

    History(MemoryStorage storage) {
      this.storage = storage;
    }

    History run() throws IOException {
      for (int incarnation = 0; incarnation < 3; incarnation++) {
        Opened opened = open(storage);
        flush(opened.log(), put("a" + incarnation, "1"));
        flush(opened.log(), put("b", "v".repeat(300)), put("c", "w".repeat(300)), remove("b"));
        flush(opened.log(), put("d", "x".repeat(2000 + 500 * incarnation)), put("", ""));
        flush(opened.log(), batch(put("e", "1"), remove("c"), removeRange("a", null)));
        if (incarnation == 1) {
          opened.kill();
        } else {
          opened.close();
        }
      }
      return this;
    }

    void flush(WriteAheadLog log, LogRecord... records) throws IOException {
      flushedBefore = lastFlush;
      lastFlush = content.size();
      for (LogRecord record : records) {
        content.add(LogFixture.describe(record));
      }
      log.append(log.lastLsn() + 1, List.of(records));
      log.force();
      acknowledged = content.size();
    }
  }
}
