package org.overlaytrie.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.image.Images.STORE_ID;
import static org.overlaytrie.image.Images.checkpoint;
import static org.overlaytrie.image.Images.entries;
import static org.overlaytrie.image.Images.hasContent;
import static org.overlaytrie.image.Images.trie;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Addresses;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.MemoryStorage;

class ImageTest {
  private static final byte[] VALUE = {1};

  private final MemoryStorage storage = new MemoryStorage();

  private Image reopened(Image image) throws IOException {
    image.close();
    return Images.open(storage, image.nextSegment());
  }

  @Test
  void findsWhatItWroteAfterItWasOpenedAgain() throws IOException {
    for (long seed = 0; seed < 10; seed++) {
      storage.files.clear();
      NavigableMap<byte[], byte[]> model = entries(seed, 3_000);
      Image image = Images.open(storage, 1);
      Root root = checkpoint(image, trie(model));
      assertThat(root.size()).isEqualTo(model.size());
      assertThat(hasContent(image.load(root), model)).as("in the same image").isTrue();
      try (Image again = reopened(image)) {
        assertThat(hasContent(again.load(root), model)).as("seed %d", seed).isTrue();
      }
    }
  }

  @Test
  void keepsEveryVersionOfAHistoryWhileSegmentsComeAndImagesAreOpenedAgain() throws IOException {
    NavigableMap<byte[], byte[]> model = entries(1, 2_000);
    List<NavigableMap<byte[], byte[]>> models = new ArrayList<>();
    List<Root> roots = new ArrayList<>();
    Image image = Images.open(storage, 1);
    Trie trie = trie(model);
    for (int round = 0; round < 60; round++) {
      for (var entry : entries(100 + round, 40).entrySet()) {
        trie = trie.put(entry.getKey(), entry.getValue());
        model.put(entry.getKey(), entry.getValue());
      }
      byte[] first = model.firstKey();
      trie = trie.remove(first);
      model.remove(first);
      roots.add(checkpoint(image, trie));
      models.add(new TreeMap<>(model));
      if (round % 7 == 0) {
        image = reopened(image);
        trie = image.load(roots.get(round));
      }
    }
    assertThat(storage.files.keySet()).hasSizeGreaterThan(9);
    for (int round = 0; round < roots.size(); round++) {
      assertThat(hasContent(image.load(roots.get(round)), models.get(round))).isTrue();
    }
    assertThat(roots.get(0).oldestSegment()).isEqualTo(1);
    assertThat(roots.get(59).oldestSegment()).isEqualTo(1);
    image.close();
  }

  @Test
  void writesNothingWhereNothingHasChangedAndOnlyTheWayWhereOneEntryHas() throws IOException {
    Trie trie = trie(entries(3, 20_000));
    Image image = Images.open(storage, 1);
    Root root = checkpoint(image, trie);
    long before = image.bytesWritten();
    assertThat(checkpoint(image, trie)).isEqualTo(root);
    assertThat(checkpoint(image, image.load(root))).isEqualTo(root);
    assertThat(image.bytesWritten()).isEqualTo(before);
    Trie changed = trie.put(new byte[] {1, 2, 3, 4}, VALUE);
    checkpoint(image, changed);
    assertThat(image.bytesWritten() - before).isLessThan(before / 20);
    image.close();
  }

  @Test
  void anEmptyTrieHasNoAddressAndNoFile() throws IOException {
    try (Image image = Images.open(storage, 1)) {
      assertThat(checkpoint(image, Trie.EMPTY)).isEqualTo(Root.EMPTY);
      assertThat(image.load(Root.EMPTY)).isSameAs(Trie.EMPTY);
      assertThat(image.nextSegment()).isEqualTo(1);
      assertThat(storage.files.keySet()).isEmpty();
    }
  }

  @Test
  void aRecordThatIsLargerThanASegmentGetsOneToItself() throws IOException {
    NavigableMap<byte[], byte[]> model = entries(4, 100);
    for (int i = 0; i < 3; i++) {
      byte[] value = new byte[16 << 20];
      new Random(i).nextBytes(value);
      model.put(new byte[] {'v', (byte) i}, value);
    }
    model.put(new byte[65_536], new byte[300]);
    Image image = Images.open(storage, 1);
    Root root = checkpoint(image, trie(model));
    assertThat(storage.files.values()).filteredOn(file -> file.length > 16 << 20).hasSize(3);
    try (Image again = reopened(image)) {
      assertThat(hasContent(again.load(root), model)).isTrue();
    }
  }

  @Test
  void neverAppendsToASegmentOfAnEarlierOpeningAndReplacesWhatNoSuperblockNames()
      throws IOException {
    NavigableMap<byte[], byte[]> model = entries(5, 500);
    Image image = Images.open(storage, 1);
    Root root = checkpoint(image, trie(model));
    int next = image.nextSegment();
    checkpoint(image, image.load(root).put(new byte[] {9}, VALUE));
    image.close();
    byte[] first = storage.files.get(StoreFiles.imageSegment(1)).clone();
    storage.files.put(StoreFiles.imageSegment(next), new byte[1 << 20]); // left over
    Image again = Images.open(storage, next);
    Root newer = checkpoint(again, again.load(root).put(new byte[] {8}, VALUE));
    assertThat(Addresses.segment(newer.address())).isEqualTo(next);
    assertThat(storage.files.get(StoreFiles.imageSegment(1))).isEqualTo(first);
    assertThat(storage.files.get(StoreFiles.imageSegment(next))).hasSizeLessThan(1 << 20);
    model.put(new byte[] {8}, VALUE);
    assertThat(hasContent(again.load(newer), model)).isTrue();
    again.close();
  }

  @Test
  void afterAFailureAnywhereTheNextWriteBeginsAFreshSegmentAndLosesNothing() throws IOException {
    NavigableMap<byte[], byte[]> model = entries(6, 200);
    NavigableMap<byte[], byte[]> newer = new TreeMap<>(model);
    newer.putAll(entries(7, 15_000));
    boolean failed = true;
    int failures = 0;
    for (int operation = 0; failed; operation++) {
      storage.files.clear();
      FaultyStorage faulty = new FaultyStorage(storage);
      Image image = Images.open(faulty, 1);
      Trie trie = trie(model);
      Root root = checkpoint(image, trie);
      Trie changed = trie(newer);
      faulty.failAt(operation);
      try {
        checkpoint(image, changed);
        failed = false;
      } catch (UncheckedIOException e) {
        assertThat(e).hasCauseInstanceOf(FaultyStorage.Fault.class);
        failures++;
        assertThat(faulty.openFiles()).isZero();
      }
      faulty.failAt(Long.MAX_VALUE);
      assertThat(hasContent(image.load(root), model)).isTrue();
      if (failed) {
        int next = image.nextSegment();
        Root retried = checkpoint(image, changed);
        assertThat(retried.oldestSegment()).as("everything anew").isGreaterThanOrEqualTo(next);
        assertThat(hasContent(image.load(retried), newer)).isTrue();
      }
      image.close();
      assertThat(faulty.openFiles()).isZero();
    }
    assertThat(failures).isGreaterThan(10);
  }

  @Test
  void anAbandonedWriteInstallsNothing() throws IOException {
    Trie trie = trie(entries(8, 1_000));
    try (Image image = Images.open(storage, 1)) {
      Root lost = image.write(trie, done -> {});
      assertThatIllegalStateException().isThrownBy(image::install).withMessageContaining("forced");
      assertThatIllegalStateException()
          .isThrownBy(() -> image.write(trie, done -> {}))
          .withMessageContaining("neither installed nor abandoned");
      image.abandonWrite();
      assertThatIllegalStateException().isThrownBy(image::install);
      Root root = checkpoint(image, trie);
      assertThat(root.oldestSegment()).isGreaterThan(Addresses.segment(lost.address()));
    }
  }

  @Test
  void aListenerHearsOfAllEntriesInTheEndAndMayEndTheWrite() throws IOException {
    Trie trie = trie(entries(9, 30_000));
    List<Long> told = new ArrayList<>();
    try (Image image = Images.open(storage, 1)) {
      assertThatThrownBy(
              () ->
                  image.write(
                      trie,
                      done -> {
                        throw new ArithmeticException("enough");
                      }))
          .isInstanceOf(ArithmeticException.class);
      Root unused = image.write(trie, told::add);
      assertThat(told).hasSizeGreaterThan(3).isSorted().doesNotHaveDuplicates();
      assertThat(told.get(told.size() - 1)).isEqualTo(trie.size());
    }
  }

  @Test
  void copiesATrieOfAnotherStoreAndLeavesItAsItWas() throws IOException {
    NavigableMap<byte[], byte[]> model = entries(10, 5_000);
    Image image = Images.open(storage, 1);
    Trie stored = image.load(checkpoint(image, trie(model)));
    Trie mixed = stored.put(new byte[] {7}, VALUE);
    model.put(new byte[] {7}, VALUE);
    MemoryStorage backup = new MemoryStorage();
    try (Image copy = Image.open(backup, UUID.randomUUID(), Image.MIN_SEGMENT_BYTES, 1)) {
      Root root = copy.copy(mixed, done -> {});
      copy.force();
      copy.install();
      assertThat(hasContent(copy.load(root), model)).isTrue();
    }
    long before = image.bytesWritten();
    Root root = checkpoint(image, mixed);
    assertThat(image.bytesWritten()).as("the change was still to be written").isGreaterThan(before);
    assertThat(hasContent(image.load(root), model)).isTrue();
    image.close();
  }

  @Test
  void keepsFewFilesOpenHoweverManySegmentsThereAre() throws IOException {
    NavigableMap<byte[], byte[]> model = Images.newModel();
    for (int i = 0; i < 200; i++) {
      model.put(new byte[] {(byte) i}, new byte[Image.MIN_SEGMENT_BYTES]);
    }
    FaultyStorage counting = new FaultyStorage(storage);
    Image image = Images.open(counting, 1);
    Root root = checkpoint(image, trie(model));
    assertThat(image.nextSegment()).isGreaterThan(200);
    assertThat(hasContent(image.load(root), model)).isTrue();
    assertThat(counting.openFiles()).isBetween(2, SegmentReaders.MAX_OPEN + 1);
    image.close();
    assertThat(counting.openFiles()).isZero();
  }

  @Test
  void letsGoOfFilesThatAreDeletedAndSaysThatTheyAreMissing() throws IOException {
    NavigableMap<byte[], byte[]> model = Images.newModel();
    for (int i = 0; i < 10; i++) {
      model.put(new byte[] {(byte) i}, new byte[Image.MIN_SEGMENT_BYTES]);
    }
    FaultyStorage counting = new FaultyStorage(storage);
    Image image = Images.open(counting, 1);
    Root root = checkpoint(image, trie(model));
    assertThat(hasContent(image.load(root), model)).isTrue();
    int open = counting.openFiles();
    image.releaseBelow(8);
    assertThat(counting.openFiles()).isEqualTo(open - 7);
    assertThat(hasContent(image.load(root), model)).as("opened again").isTrue();
    counting.delete(StoreFiles.imageSegment(3));
    image.releaseBelow(4);
    assertThatThrownBy(() -> hasContent(image.load(root), model))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("image-00000003.seg")
        .hasMessageContaining("missing");
    image.close();
    image.releaseBelow(8);
    assertThat(counting.openFiles()).isZero();
  }

  @Test
  void anUnreadableRecordIsAnErrorThatNamesThePlaceAndMayBeTriedAgain() throws IOException {
    NavigableMap<byte[], byte[]> model = entries(11, 500);
    Image image = Images.open(storage, 1);
    Root root = checkpoint(image, trie(model));
    image.close();
    for (int operation = 0; operation < 4; operation++) {
      FaultyStorage faulty = new FaultyStorage(storage);
      faulty.failAt(operation);
      try (Image again = Images.open(faulty, 2)) {
        assertThatThrownBy(() -> again.load(root))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("image-00000001.seg, offset ")
            .hasRootCauseInstanceOf(FaultyStorage.Fault.class);
        assertThat(hasContent(again.load(root), model)).isTrue();
      }
    }
  }

  @Test
  void saysThatItIsClosed() throws IOException {
    Image image = Images.open(storage, 1);
    Trie trie = trie(entries(12, 500));
    Trie stored = image.load(checkpoint(image, trie));
    image.close();
    image.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> hasContent(stored, entries(12, 500)))
        .withMessageContaining("closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> image.write(trie, done -> {}))
        .withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(image::force).withMessageContaining("closed");
  }

  @Test
  void refusesSegmentsThatAreTooShortOrTooLongAndNumbersBelowOne() {
    for (int bytes : new int[] {0, Image.MIN_SEGMENT_BYTES - 1, Image.MAX_SEGMENT_BYTES + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Image.open(storage, STORE_ID, bytes, 1))
          .withMessageContaining("64 KiB to 1 GiB");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Images.open(storage, 0));
  }

  @Test
  void isReadByManyThreadsWhileAnotherWritesAndSegmentsAreClosedAndOpened() throws Exception {
    NavigableMap<byte[], byte[]> model = Images.newModel();
    for (int i = 0; i < 200; i++) {
      model.put(new byte[] {(byte) i, 1}, new byte[] {(byte) i});
      model.put(new byte[] {(byte) i, 2}, new byte[Image.MIN_SEGMENT_BYTES + i]);
    }
    Image image = Images.open(storage, 1);
    Root root = checkpoint(image, trie(model));
    assertThat(image.nextSegment()).isGreaterThan(2 * SegmentReaders.MAX_OPEN);
    AtomicBoolean writing = new AtomicBoolean(true);
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      List<Future<Boolean>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        readers.add(
            pool.submit(
                () -> {
                  boolean right = true;
                  do {
                    right &= hasContent(image.load(root), model);
                  } while (writing.get() && right);
                  return right;
                }));
      }
      Trie trie = image.load(root);
      for (int round = 0; round < 30; round++) {
        trie = trie.put(new byte[] {(byte) round, 2}, new byte[100 * round]);
        trie = image.load(checkpoint(image, trie));
      }
      writing.set(false);
      for (Future<Boolean> reader : readers) {
        assertThat(reader.get()).isTrue();
      }
      assertThat(trie.get(new byte[] {29, 2})).hasSize(2_900);
    } finally {
      writing.set(false);
      pool.shutdownNow();
      image.close();
    }
  }
}
