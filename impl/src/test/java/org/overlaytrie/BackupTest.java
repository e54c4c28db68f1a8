package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.wal.MemoryStorage;

/** A backup is a store that opens to one moment of the original, or it does not open. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupTest {
  private static final int WRITERS = 4;
  private static final Options SMALL =
      Options.defaults()
          .withWalSegmentBytes(4_096)
          .withImageSegmentBytes(1 << 16)
          .withCheckpoints(CheckpointPolicy.manual());

  @TempDir Path directory;

  private static OverlayTrie<String, Long> open(Path directory) {
    return OverlayTrie.open(directory, Codecs.string(), Codecs.longs(), SMALL);
  }

  private static OverlayTrie<String, Long> open(Storage storage) throws IOException {
    return OverlayTrie.open(
        storage, Codecs.string(), Codecs.longs(), SMALL, ProtocolEvents.NONE, Parking.LOCK_SUPPORT);
  }

  /** Opens a backup, writes to it, makes a checkpoint, and opens it again. */
  private static void assertIsAStoreWith(Map<String, Long> content, Path backup) {
    try (OverlayTrie<String, Long> store = open(backup)) {
      assertThat(new TreeMap<>(store)).isEqualTo(content);
      assertThat(store).hasSameSizeAs(content);
      store.put("new in the backup", 1L);
    }
    Map<String, Long> more = new TreeMap<>(content);
    more.put("new in the backup", 1L);
    try (OverlayTrie<String, Long> store = open(backup)) {
      assertThat(new TreeMap<>(store)).isEqualTo(more);
      store.checkpoint();
    }
    try (OverlayTrie<String, Long> store = open(backup)) {
      assertThat(new TreeMap<>(store)).isEqualTo(more);
    }
  }

  /** Each writer counts up two keys, always both at once. */
  @Test
  void holdsOneMomentBetweenCallAndReturnWhileFourThreadsWrite() throws Exception {
    AtomicLong[] returned =
        Stream.generate(AtomicLong::new).limit(WRITERS).toArray(AtomicLong[]::new);
    AtomicBoolean stop = new AtomicBoolean();
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      IntStream.range(0, 3_000).forEach(i -> store.put("filler " + i, (long) i));
      store.checkpoint();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        Thread thread =
            new Thread(
                () -> {
                  for (long n = 1; !stop.get(); n++) {
                    long count = n;
                    store.writeBatch(
                        batch -> {
                          batch.put("a" + writer, count);
                          batch.put("z" + writer, count);
                        });
                    returned[writer].set(count);
                  }
                });
        thread.start();
        writers.add(thread);
      }
      for (int round = 0; round < 5; round++) {
        long[] before = Stream.of(returned).mapToLong(AtomicLong::get).toArray();
        Path backup = directory.resolve("backup " + round);
        store.backupTo(backup);
        long[] after = Stream.of(returned).mapToLong(AtomicLong::get).toArray();
        try (OverlayTrie<String, Long> copy = open(backup)) {
          for (int i = 0; i < WRITERS; i++) {
            long count = copy.getOrDefault("a" + i, 0L);
            assertThat(copy.getOrDefault("z" + i, 0L)).isEqualTo(count);
            assertThat(count).isBetween(before[i], after[i] + 1);
          }
          assertThat(copy.prefixMap("filler ")).hasSize(3_000);
        }
      }
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      for (AtomicLong count : returned) {
        assertThat(count.get()).isPositive();
      }
    }
  }

  @Test
  void ofAnEmptyStoreIsAnEmptyStore() {
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      store.backupTo(directory.resolve("fresh"));
      store.put("a", 1L);
      store.remove("a");
      store.backupTo(directory.resolve("emptied"));
    }
    assertIsAStoreWith(Map.of(), directory.resolve("fresh"));
    assertIsAStoreWith(Map.of(), directory.resolve("emptied"));
  }

  @Test
  void ofOneEntryHoldsIt() {
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      store.put("", 7L);
      store.backupTo(directory.resolve("backup"));
      store.put("later", 1L);
    }
    assertIsAStoreWith(Map.of("", 7L), directory.resolve("backup"));
  }

  @Test
  void afterReopeningReadsWhatIsNotInMemoryAndHasItsOwnNumbersOfChanges() {
    Map<String, Long> content = new TreeMap<>();
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      for (long i = 0; i < 2_000; i++) {
        content.put("key " + i, i);
      }
      store.putAll(content);
      store.checkpoint();
    }
    List<Long> told = new ArrayList<>();
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      store.put("key 7", -1L);
      content.put("key 7", -1L);
      store.backupTo(directory.resolve("backup"), told::add);
      try (OverlayTrie<String, Long> copy = open(directory.resolve("backup"));
          Snapshot<String, Long> original = store.snapshot();
          Snapshot<String, Long> same = copy.snapshot()) {
        assertThat(same.lsn()).isEqualTo(original.lsn()).isEqualTo(2);
      }
    }
    assertThat(told).last().isEqualTo(2_000L);
    assertIsAStoreWith(content, directory.resolve("backup"));
  }

  /** What it had loaded for good could still be read when the image is gone. */
  @Test
  void loadsNothingIntoMemoryAndReportsWhatItCannotRead() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    try (OverlayTrie<String, Long> store = open(storage)) {
      store.writeBatch(
          batch -> IntStream.range(0, 2_000).forEach(i -> batch.put("key " + i, (long) i)));
      store.checkpoint();
    }
    try (OverlayTrie<String, Long> store = open(storage)) {
      MemoryStorage target = new MemoryStorage();
      store.backupTo(target, done -> {});
      byte[] image = storage.files.get("image-00000001.seg");
      Arrays.fill(image, 64, image.length, (byte) 0);
      assertThatThrownBy(() -> store.get("key 1234")).isInstanceOf(CorruptStoreException.class);
      MemoryStorage next = new MemoryStorage();
      assertThatThrownBy(() -> store.backupTo(next, done -> {}))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("image-00000001.seg");
      assertThat(next.files).isEmpty();
      try (OverlayTrie<String, Long> copy = open(target)) {
        assertThat(copy.get("key 1234")).isEqualTo(1_234L);
        assertThat(copy).hasSize(2_000);
      }
    }
  }

  @Test
  void ofMoreThanAHundredThousandEntriesHoldsThemAll() {
    Map<String, Long> content = new TreeMap<>();
    for (long i = 0; i < 110_000; i++) {
      content.put("key " + i * 7_919 % 1_000_003, i);
    }
    try (OverlayTrie<String, Long> store =
        OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.longs())) {
      store.putAllSorted(content.entrySet().iterator());
      store.backupTo(directory.resolve("backup"));
      assertThat(store).hasSize(110_000);
    }
    assertIsAStoreWith(content, directory.resolve("backup"));
  }

  @Test
  void refusesADirectoryThatHoldsAnythingAndLeavesItAsItWas() throws IOException {
    Path foreign = Files.createDirectory(directory.resolve("foreign"));
    Files.writeString(foreign.resolve("notes.txt"), "mine");
    open(directory.resolve("other")).close();
    byte[] lock = Files.readAllBytes(directory.resolve("other").resolve("LOCK"));
    Files.writeString(directory.resolve("other").resolve("LOCK"), "1");
    assertThat(lock).isNotEqualTo(new byte[] {'1'});
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      for (String name : List.of("foreign", "other", "store")) {
        assertThatThrownBy(() -> store.backupTo(directory.resolve(name)))
            .isInstanceOf(IncompatibleStoreException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("not empty")
            .hasMessageContaining("name an empty or a new directory");
      }
      store.put("a", 1L);
    }
    assertThat(foreign.toFile().list()).containsExactly("notes.txt");
    assertThat(directory.resolve("other").resolve("LOCK")).hasContent("1");
  }

  @Test
  void locksTheTargetWhileItIsWritten() throws IOException {
    Path backup = directory.resolve("backup");
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      store.put("a", 1L);
      List<Throwable> refusals = new ArrayList<>();
      store.backupTo(
          backup,
          done -> {
            try {
              open(backup).close();
            } catch (StoreLockedException e) {
              refusals.add(e);
            }
          });
      assertThat(refusals).isNotEmpty();
    }
    assertIsAStoreWith(Map.of("a", 1L), backup);
  }

  @Test
  void thatFailsIsDeletedAndMayBeMadeAgainThere() {
    Path backup = directory.resolve("backup");
    try (OverlayTrie<String, Long> store = open(directory.resolve("store"))) {
      store.put("a", 1L);
      assertThatThrownBy(
              () ->
                  store.backupTo(
                      backup,
                      done -> {
                        throw new IllegalStateException("enough");
                      }))
          .hasMessage("enough");
      assertThat(backup.toFile().list()).containsExactly("LOCK");
      store.backupTo(backup);
    }
    assertIsAStoreWith(Map.of("a", 1L), backup);
  }

  @Test
  void killedAtAnyStepNeverOpensWithAnyOtherContent() throws IOException {
    assertNeverOpensWithOtherContent(store -> {}, Map.of());
    assertNeverOpensWithOtherContent(
        store -> {
          store.put("a", 1L);
          store.clear();
        },
        Map.of());
    Map<String, Long> content = new TreeMap<>();
    for (long i = 0; i < 9_000; i++) {
      content.put("key " + i * 7_919 % 1_000_003, i);
    }
    assertThat(assertNeverOpensWithOtherContent(store -> store.putAll(content), content))
        .as("changes of the target")
        .isGreaterThan(12);
  }

  private interface Writes {
    void to(OverlayTrie<String, Long> store);
  }

  private static long assertNeverOpensWithOtherContent(Writes writes, Map<String, Long> content)
      throws IOException {
    try (OverlayTrie<String, Long> store = open(new MemoryStorage())) {
      writes.to(store);
      for (long change = 0; ; change++) {
        MemoryStorage target = new MemoryStorage().killedAt(change);
        boolean completed = false;
        try {
          store.backupTo(target, done -> {});
          completed = true;
        } catch (MemoryStorage.Killed e) {
          assertThat(target.files).as("killed at %s", change).isNotEmpty();
        }
        Map<String, byte[]> left = new MemoryStorage(target.files).files;
        MemoryStorage next = new MemoryStorage(left);
        try (OverlayTrie<String, Long> opened = open(next)) {
          assertThat(new TreeMap<>(opened)).as("killed at %s", change).isEqualTo(content);
        } catch (CorruptStoreException e) {
          assertThat(completed).as("killed at %s: %s", change, e).isFalse();
          assertThat(next.files).containsExactlyEntriesOf(left);
        }
        if (completed) {
          return change;
        }
      }
    }
  }

  @Test
  void survivesTheLossOfEitherSlotOfItsSuperblock() throws IOException {
    MemoryStorage target = new MemoryStorage();
    try (OverlayTrie<String, Long> store = open(new MemoryStorage())) {
      store.put("a", 1L);
      store.backupTo(target, done -> {});
    }
    for (int slot = 0; slot < 2; slot++) {
      MemoryStorage damaged = new MemoryStorage(target.files);
      damaged.files.get("superblock")[slot * 4_096 + 20] ^= 1;
      try (OverlayTrie<String, Long> opened = open(damaged)) {
        assertThat(opened).isEqualTo(Map.of("a", 1L));
      }
    }
  }

  @Test
  void holdsWhatIsNotDurableYetWhereWritesDoNotWait() {
    Options none = SMALL.withDurability(Durability.NONE);
    try (OverlayTrie<String, Long> store =
        OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.longs(), none)) {
      store.put("a", 1L);
      store.backupTo(directory.resolve("backup"));
    }
    assertIsAStoreWith(Map.of("a", 1L), directory.resolve("backup"));
  }

  @Test
  void ofAClosedStoreIsRefused() {
    OverlayTrie<String, Long> store = open(directory.resolve("store"));
    store.close();
    assertThatThrownBy(() -> store.backupTo(directory.resolve("backup")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(directory.resolve("backup")).doesNotExist();
  }
}
