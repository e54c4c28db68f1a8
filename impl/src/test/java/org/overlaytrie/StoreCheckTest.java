package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.StoreCheck.LostChanges;
import org.overlaytrie.StoreCheck.Report;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.wal.MemoryStorage;

/**
 * Whatever is done to one file of a store: the check names that file or the byte does not matter,
 * opening reports it or finds just the content, and a salvage brings a sound store with entries of
 * the original alone. None of them changes a file.
 */
class StoreCheckTest {
  private static final Options SMALL =
      Options.defaults()
          .withWalSegmentBytes(4_096)
          .withImageSegmentBytes(1 << 16)
          .withCheckpoints(CheckpointPolicy.manual());
  private static final String SUPERBLOCK = "superblock";
  private static final String IMAGE = "image-00000001.seg";
  private static final String LOG = "wal-00000001.log";

  private static final int IMAGE_WRITE_AND_FORCE = 2;
  private static final int SLOT_WRITE = 1;

  /** A salvage writes 16 MiB of log: not for each byte. */
  private static final int SALVAGE_STEP = 97;

  @TempDir Path directory;

  private static OverlayTrie<String, String> open(Storage storage) throws IOException {
    return OverlayTrie.open(
        storage,
        Codecs.string(),
        Codecs.string(),
        SMALL,
        ProtocolEvents.NONE,
        Parking.LOCK_SUPPORT);
  }

  /** Makes a store: first what goes to the image, then what the log holds. */
  private static void write(OverlayTrie<String, String> store, Map<String, String> model) {
    for (int i = 0; i < 8; i++) {
      put(store, model, "image " + i, i % 2 == 0 ? "short" : "x".repeat(300));
    }
    store.checkpoint();
    for (int i = 0; i < 8; i++) {
      put(store, model, "log " + i, "y".repeat(20 + i));
    }
    store.remove("image 0");
    model.remove("image 0");
  }

  private static void put(
      OverlayTrie<String, String> store, Map<String, String> model, String key, String value) {
    store.put(key, value);
    model.put(key, value);
  }

  private static Map<String, byte[]> closedStore(Map<String, String> model) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    try (OverlayTrie<String, String> store = open(storage)) {
      write(store, model);
    }
    assertThat(storage.files).containsOnlyKeys(SUPERBLOCK, IMAGE, LOG);
    return storage.files;
  }

  private static Report check(Map<String, byte[]> files) throws IOException {
    MemoryStorage storage = new MemoryStorage(files).killedAt(0);
    Report report = StoreCheck.check(storage);
    assertThat(storage.files).containsExactlyEntriesOf(new MemoryStorage(files).files);
    return report;
  }

  private static Map<String, String> salvage(Map<String, byte[]> files) throws IOException {
    MemoryStorage target = new MemoryStorage();
    MemoryStorage damaged = new MemoryStorage(files).killedAt(0);
    Report report = StoreCheck.salvage(damaged, () -> target);
    assertThat(damaged.files).containsExactlyEntriesOf(new MemoryStorage(files).files);
    Report copy = check(target.files);
    assertThat(copy.faults()).isEmpty();
    assertThat(copy.opens()).isTrue();
    try (OverlayTrie<String, String> store = open(target)) {
      assertThat((long) store.size()).isEqualTo(report.entries()).isEqualTo(copy.entries());
      return new TreeMap<>(store);
    }
  }

  /** Opens, reads and writes; whether that went well. */
  private static boolean survivesOpening(
      String what, Map<String, byte[]> files, Map<String, String> model) throws IOException {
    MemoryStorage storage = new MemoryStorage(files);
    boolean opened = false;
    try (OverlayTrie<String, String> store = open(storage)) {
      opened = true;
      assertThat(new TreeMap<>(store)).as(what).isEqualTo(model);
      return true;
    } catch (CorruptStoreException e) {
      if (!opened) {
        assertThat(storage.files).as(what).containsExactlyEntriesOf(new MemoryStorage(files).files);
      }
      assertThat(storage.files.get(IMAGE)).as(what).isEqualTo(files.get(IMAGE));
      return false;
    }
  }

  /** Where the CLOSE frame begins, which is the last one. */
  private static int closingFrame(byte[] log) {
    return new String(log, StandardCharsets.ISO_8859_1).lastIndexOf("OTfr");
  }

  private static Map<String, byte[]> with(Map<String, byte[]> files, String name, byte[] content) {
    Map<String, byte[]> changed = new MemoryStorage(files).files;
    if (content == null) {
      changed.remove(name);
    } else {
      changed.put(name, content);
    }
    return changed;
  }

  private static void assertNames(Report report, String file, String what) {
    assertThat(report.faults())
        .as(what)
        .anyMatch(fault -> fault.file().endsWith(file) && !fault.expectation().isEmpty());
  }

  /**
   * What does not matter: in the log, the CLOSE frame, without which it ends as after a crash with
   * all that the superblock claims, and what lies behind. Nothing else.
   */
  @Test
  void everyDamagedByteIsReportedByTheCheckAndByOpeningOrDoesNotMatter() throws IOException {
    Map<String, String> model = new TreeMap<>();
    Map<String, byte[]> files = closedStore(model);
    int refused = 0;
    for (var file : files.entrySet()) {
      int relevant =
          file.getKey().equals(LOG) ? closingFrame(file.getValue()) : file.getValue().length;
      for (int at = 0; at < file.getValue().length; at++) {
        String what = file.getKey() + " at " + at;
        byte[] damaged = file.getValue().clone();
        damaged[at] ^= 0x41;
        Map<String, byte[]> all = with(files, file.getKey(), damaged);
        Report report = check(all);
        if (at < relevant) {
          assertNames(report, file.getKey(), what);
        } else {
          assertThat(report.faults()).as(what).isEmpty();
        }
        boolean survives = survivesOpening(what, all, model);
        refused += survives ? 0 : 1;
        assertThat(report.isSound()).as(what).isEqualTo(survives);
        assertThat(report.isSound())
            .as(what)
            .isEqualTo(
                report.lostEntries().isEmpty()
                    && report.faults().stream().allMatch(fault -> fault.perhapsTorn()));
        if (at % SALVAGE_STEP == 0) {
          Map<String, String> saved = salvage(all);
          if (report.lostChanges() == null) {
            assertThat(model.entrySet()).as(what).containsAll(saved.entrySet());
          }
          long lost =
              report.lostEntries().stream().mapToLong(StoreCheck.LostEntries::entries).sum();
          if (report.lostChanges() == null && lost == 0) {
            assertThat(saved).as(what).isEqualTo(model);
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(files.get(IMAGE).length);
  }

  @Test
  void aSoundStoreHasNoFaultsWhereverItWasKilled() throws IOException {
    int torn = 0;
    for (long change = 1; ; change++) {
      MemoryStorage storage = new MemoryStorage().killedAt(change);
      boolean completed = writesAndCloses(storage);
      Map<String, byte[]> left = new MemoryStorage(storage.files).files;
      Report report = check(left);
      String what = "killed at " + change + ": " + report;
      assertThat(report.isSound()).as(what).isTrue();
      assertThat(report.lostEntries()).as(what).isEmpty();
      assertThat(report.lostChanges()).as(what).isNull();
      torn += report.faults().size();
      try (OverlayTrie<String, String> store = open(new MemoryStorage(left))) {
        assertThat((long) store.size()).as(what).isEqualTo(report.entries());
      }
      if (completed) {
        assertThat(report.faults()).isEmpty();
        assertThat(torn).isPositive().isLessThan(10);
        return;
      }
    }
  }

  private static boolean writesAndCloses(Storage storage) {
    try (OverlayTrie<String, String> store = open(storage)) {
      write(store, new TreeMap<>());
    } catch (IOException | RuntimeException e) {
      return false; // killed
    }
    return true;
  }

  @Test
  void everyMissingCutZeroedOrForeignFileIsNamed() throws IOException {
    Map<String, String> model = new TreeMap<>();
    Map<String, byte[]> files = closedStore(model);
    Map<String, byte[]> other = closedStore(new TreeMap<>());
    for (String name : files.keySet()) {
      byte[] bytes = files.get(name);
      for (byte[] content :
          new byte[][] {
            null,
            new byte[0],
            Arrays.copyOf(bytes, 50),
            Arrays.copyOf(bytes, bytes.length / 2),
            Arrays.copyOf(bytes, name.equals(LOG) ? closingFrame(bytes) - 4 : bytes.length - 1),
            new byte[bytes.length],
            other.get(name),
            files.get(name.equals(LOG) ? IMAGE : LOG)
          }) {
        String what = name + " is " + (content == null ? "missing" : content.length + " bytes");
        Map<String, byte[]> damaged = with(files, name, content);
        Report report = check(damaged);
        if (name.equals(SUPERBLOCK) && Arrays.equals(content, other.get(name))) {
          assertThat(report.isSound()).isFalse(); // it may as well be the other two that are wrong
          continue;
        }
        assertNames(report, name, what);
        assertThat(survivesOpening(what, damaged, model)).as(what).isEqualTo(report.isSound());
        if (name.equals(SUPERBLOCK)
            && (content == null
                || content.length < 4_096
                || content[0] != 'O'
                || content == files.get(LOG))) {
          assertThat(report.opens()).as(what).isFalse();
          assertThatThrownBy(() -> salvage(damaged))
              .as(what)
              .isInstanceOf(CorruptStoreException.class)
              .hasMessageContaining(SUPERBLOCK);
          continue;
        }
        Map<String, String> saved = salvage(damaged);
        for (String key : model.keySet()) {
          boolean lost = key.startsWith(name.equals(LOG) ? "log" : "image");
          if (!lost) {
            assertThat(saved).as(what).containsEntry(key, model.get(key));
          }
        }
        assertThat(
                report.lostChanges() != null
                    || !report.lostEntries().isEmpty()
                    || report.isSound()
                    || saved.equals(model))
            .as(what)
            .isTrue();
      }
    }
  }

  @Test
  void namesEveryFaultAtOnceAndWhatIsLostByEach() throws IOException {
    Map<String, String> model = new TreeMap<>();
    Map<String, byte[]> files = closedStore(model);
    files.get(SUPERBLOCK)[100] ^= 1;
    String image = new String(files.get(IMAGE), StandardCharsets.ISO_8859_1);
    String log = new String(files.get(LOG), StandardCharsets.ISO_8859_1);
    files.get(IMAGE)[image.indexOf("xxxx")] ^= 1; // of the first long value, of image 1
    files.get(IMAGE)[image.lastIndexOf("xxxx")] ^= 1; // of image 7
    files.get(LOG)[log.indexOf("log 2")] ^= 1;
    files.get(LOG)[log.indexOf("log 5")] ^= 1;
    Report report = check(files);
    assertThat(report.faults()).filteredOn(f -> f.file().endsWith(SUPERBLOCK)).hasSize(1);
    assertThat(report.faults()).filteredOn(f -> f.file().endsWith(IMAGE)).hasSize(2);
    assertThat(report.faults()).filteredOn(f -> f.file().endsWith(LOG)).hasSize(2);
    assertThat(report.opens()).isFalse();
    assertThat(report.lostEntries())
        .extracting(lost -> new String(lost.keyPrefix(), StandardCharsets.UTF_8))
        .containsExactly("image 1", "image 7");
    assertThat(report.lostEntries()).allMatch(lost -> lost.entries() == 1);
    assertThat(report.lostChanges()).isEqualTo(new LostChanges(11, 17));
    assertThat(report.lsn()).isEqualTo(10);
    Map<String, String> expected = new TreeMap<>(model);
    expected.put("image 0", "short");
    expected.keySet().removeIf(key -> key.matches("image [17]|log [2-7]"));
    assertThat(salvage(files)).isEqualTo(expected);
  }

  @Test
  void aDamagedSegmentInTheMiddleEndsTheSalvageAndDoesNotHideLaterFaults() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    try (OverlayTrie<String, String> store = open(storage)) {
      for (int i = 0; i < 12; i++) {
        store.put("key " + i, "z".repeat(1_500));
      }
    }
    Map<String, byte[]> files = storage.files;
    assertThat(files).hasSizeGreaterThan(6);
    Map<String, byte[]> damaged = with(files, "wal-00000003.log", null);
    damaged.get("wal-00000005.log")[200] ^= 1;
    Report report = check(damaged);
    assertNames(report, "wal-00000003.log", "missing");
    assertNames(report, "wal-00000005.log", "damaged");
    assertThat(report.lostChanges()).isEqualTo(new LostChanges(report.lsn() + 1, 12));
    assertThat(report.lsn()).isPositive();
    assertThat(salvage(damaged)).hasSize((int) report.lsn()).containsKey("key 0");
    Map<String, byte[]> swapped = with(files, "wal-00000003.log", files.get("wal-00000002.log"));
    assertNames(check(swapped), "wal-00000003.log", "swapped");
  }

  /** A crash between the two writes of a checkpoint's superblock leaves the older one too. */
  @Test
  void theOlderCheckpointIsVerifiedTooAndSavesWhatTheNewerOneHasLost() throws IOException {
    Map<String, String> model = new TreeMap<>();
    MemoryStorage storage = new MemoryStorage();
    try (OverlayTrie<String, String> store = open(storage)) {
      put(store, model, "old", "o".repeat(300));
      store.checkpoint();
      put(store, model, "new", "n".repeat(300));
      storage.killedAt(IMAGE_WRITE_AND_FORCE + SLOT_WRITE);
      assertThatThrownBy(store::checkpoint).isInstanceOf(CheckpointFailedException.class);
    } catch (RuntimeException e) {
      // closing a killed store fails too
    }
    Map<String, byte[]> files = storage.files;
    assertThat(check(files).faults()).isEmpty();
    assertThat(check(files).entries()).isEqualTo(2);
    String newer =
        files.keySet().stream().filter(name -> name.startsWith("image")).reduce((a, b) -> b).get();
    byte[] image = files.get(newer).clone();
    image[new String(image, StandardCharsets.ISO_8859_1).lastIndexOf("nnnn")] ^= 1;
    Map<String, byte[]> damaged = with(files, newer, image);
    Report report = check(damaged);
    assertNames(report, newer, "newer");
    assertThat(report.lostEntries()).isEmpty();
    assertThat(report.lostChanges()).isNull();
    assertThat(salvage(damaged)).isEqualTo(model);

    byte[] older = files.get(newer).clone();
    older[new String(older, StandardCharsets.ISO_8859_1).lastIndexOf("oooo")] ^= 1;
    assertNames(check(with(files, newer, older)), newer, "older");
  }

  @Test
  void anImageOrALogWithoutASuperblockIsCorruptionAndLeftOversAreNot() throws IOException {
    Map<String, byte[]> files = closedStore(new TreeMap<>());
    for (String kept : new String[] {IMAGE, LOG}) {
      for (byte[] superblock : new byte[][] {null, new byte[8_192]}) {
        Map<String, byte[]> left = new TreeMap<>(Map.of(kept, files.get(kept)));
        if (superblock != null) {
          left.put(SUPERBLOCK, superblock);
        }
        assertThatThrownBy(() -> open(new MemoryStorage(left)))
            .isInstanceOf(CorruptStoreException.class)
            .hasMessageContaining(SUPERBLOCK);
        assertThat(check(left).opens()).isFalse();
      }
    }
    Map<String, byte[]> leftover = with(files, "image-00000002.seg", new byte[70]);
    assertThat(check(leftover).faults()).isEmpty();
    open(new MemoryStorage(leftover)).close();
  }

  private Path storeInFiles(Map<String, String> model) {
    Path store = directory.resolve("store");
    try (OverlayTrie<String, String> map =
        OverlayTrie.open(store, Codecs.string(), Codecs.string(), SMALL)) {
      write(map, model);
    }
    return store;
  }

  @Test
  void checksAReadOnlyDirectoryAndKeepsAnOpenStoreFromBeingChecked() throws IOException {
    Map<String, String> model = new TreeMap<>();
    Path store = storeInFiles(model);
    Map<String, byte[]> before = contentOf(store);
    store.toFile().setWritable(false);
    try {
      Report report = StoreCheck.check(store);
      assertThat(report.faults()).isEmpty();
      assertThat(report.opens()).isTrue();
      assertThat(report.entries()).isEqualTo(model.size());
      assertThat(report.lsn()).isEqualTo(17);
    } finally {
      store.toFile().setWritable(true);
    }
    assertThat(contentOf(store)).containsExactlyEntriesOf(before);
    try (OverlayTrie<String, String> map =
        OverlayTrie.open(store, Codecs.string(), Codecs.string(), SMALL)) {
      assertThatThrownBy(() -> StoreCheck.check(store)).isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> StoreCheck.salvage(store, directory.resolve("x")))
          .isInstanceOf(StoreLockedException.class);
      assertThat(map).isEqualTo(model);
    }
    Path copy = directory.resolve("copy");
    assertThat(StoreCheck.salvage(store, copy).faults()).isEmpty();
    assertThat(StoreCheck.check(copy).faults()).isEmpty();
    try (OverlayTrie<String, String> map =
        OverlayTrie.open(copy, Codecs.string(), Codecs.string())) {
      assertThat(map).isEqualTo(model);
    }
  }

  @Test
  void aLockFileOfSomebodyElseIsAFault() throws IOException {
    Path store = storeInFiles(new TreeMap<>());
    Files.writeString(store.resolve("LOCK"), "not ours");
    Report report = StoreCheck.check(store);
    assertNames(report, "LOCK", "foreign");
    assertThat(report.opens()).isFalse();
  }

  @Test
  void refusesADirectoryWithoutAStore() {
    assertThatThrownBy(() -> StoreCheck.check(directory))
        .isInstanceOf(IncompatibleStoreException.class);
    assertThat(directory.toFile().list()).isEmpty();
  }

  private static Map<String, byte[]> contentOf(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : directory.toFile().list()) {
      files.put(name, Files.readAllBytes(directory.resolve(name)));
    }
    return new MemoryStorage(files).files;
  }
}
