package org.overlaytrie.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.image.Images.STORE_ID;
import static org.overlaytrie.image.Images.checkpoint;
import static org.overlaytrie.image.Images.entries;
import static org.overlaytrie.image.Images.hasContent;
import static org.overlaytrie.image.Images.trie;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieVerifier.Fault;
import org.overlaytrie.trie.TrieVerifier.Report;
import org.overlaytrie.wal.MemoryStorage;

/** Whatever is done to an image's files, what is read is what was written, or an error. */
class ImageDamageTest {
  private final NavigableMap<byte[], byte[]> model = entries(1, 120);
  private final Map<String, byte[]> files = new TreeMap<>();
  private Root root;
  private int nextSegment;

  /** An image of two checkpoints in two segments. */
  @BeforeEach
  void writeImage() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Root first = checkpointed(storage, 1, null);
    for (var entry : entries(2, 10).entrySet()) {
      model.put(entry.getKey(), entry.getValue());
    }
    root = checkpointed(storage, 2, first);
    files.putAll(storage.files);
    assertThat(files).hasSize(2);
    assertThat(root.oldestSegment()).isEqualTo(1);
  }

  private Root checkpointed(MemoryStorage storage, int segment, Root before) throws IOException {
    try (Image image = Images.open(storage, segment)) {
      Trie trie = image.load(before == null ? Root.EMPTY : before);
      for (var entry : model.entrySet()) {
        if (!Arrays.equals(trie.get(entry.getKey()), entry.getValue())) {
          trie = trie.put(entry.getKey(), entry.getValue());
        }
      }
      Root written = checkpoint(image, trie);
      nextSegment = image.nextSegment();
      return written;
    }
  }

  /** Reads all of it; whether there was an error. Fails if something else was read. */
  private boolean isDamageFound(Map<String, byte[]> damaged) throws IOException {
    MemoryStorage storage = new MemoryStorage(damaged);
    try (Image image = Images.open(storage, nextSegment)) {
      Report report = image.verify(root);
      assertThat(report.entries() + report.entriesLost()).isEqualTo(model.size());
      boolean found = false;
      try {
        assertThat(hasContent(image.load(root), model)).as("the right content").isTrue();
      } catch (CorruptStoreException e) {
        assertThat(e.file()).startsWith("memory:/image-0000000");
        assertThat(e.getMessage()).contains(", offset ").contains("expected");
        found = true;
      }
      assertThat(report.faults().isEmpty()).isEqualTo(!found);
      assertSingleKeysAreRightOrErrors(image);
      return found;
    } finally {
      for (var file : damaged.entrySet()) {
        assertThat(storage.files.get(file.getKey())).isEqualTo(file.getValue());
      }
    }
  }

  private void assertSingleKeysAreRightOrErrors(Image image) {
    Trie trie;
    try {
      trie = image.load(root);
    } catch (CorruptStoreException e) {
      return;
    }
    for (var entry : model.entrySet()) {
      try {
        assertThat(trie.get(entry.getKey())).isEqualTo(entry.getValue());
      } catch (CorruptStoreException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  @Test
  void findsEveryByteThatWasChanged() throws IOException {
    int found = 0;
    for (String name : files.keySet()) {
      byte[] bytes = files.get(name);
      for (int at = 0; at < bytes.length; at++) {
        for (int flip : new int[] {1, 0x80, 0xFF}) {
          Map<String, byte[]> damaged = new TreeMap<>(files);
          damaged.put(name, bytes.clone());
          damaged.get(name)[at] ^= (byte) flip;
          found += isDamageFound(damaged) ? 1 : 0;
        }
      }
    }
    assertThat(found)
        .as("but for records that the second checkpoint replaced")
        .isGreaterThan(5_000);
  }

  @Test
  void findsEveryLossOfAnEnd() throws IOException {
    for (String name : files.keySet()) {
      byte[] bytes = files.get(name);
      for (int length = 0; length < bytes.length; length++) {
        Map<String, byte[]> damaged = new TreeMap<>(files);
        damaged.put(name, Arrays.copyOf(bytes, length));
        boolean isReplacedRoot =
            name.equals(StoreFiles.imageSegment(1)) && length > bytes.length - 700;
        assertThat(isDamageFound(damaged) || isReplacedRoot)
            .as("%s cut to %d", name, length)
            .isTrue();
      }
    }
  }

  @Test
  void findsAMissingSegment() throws IOException {
    for (String name : files.keySet()) {
      Map<String, byte[]> damaged = new TreeMap<>(files);
      damaged.remove(name);
      assertThat(isDamageFound(damaged)).isTrue();
    }
  }

  @Test
  void findsRecordsThatLieAtAnotherPlace() throws IOException {
    byte[] bytes = files.get(StoreFiles.imageSegment(1));
    for (int shift = 1; shift < 300; shift++) {
      Map<String, byte[]> damaged = new TreeMap<>(files);
      byte[] shifted = bytes.clone();
      System.arraycopy(bytes, 64, shifted, 64 + shift, bytes.length - 64 - shift);
      damaged.put(StoreFiles.imageSegment(1), shifted);
      assertThat(isDamageFound(damaged)).isTrue();
    }
  }

  @Test
  void findsSegmentsOfOtherNumbersAndOfOtherStores() throws IOException {
    Map<String, byte[]> swapped = new TreeMap<>();
    swapped.put(StoreFiles.imageSegment(1), files.get(StoreFiles.imageSegment(2)));
    swapped.put(StoreFiles.imageSegment(2), files.get(StoreFiles.imageSegment(1)));
    assertThat(isDamageFound(swapped)).isTrue();
    assertNamesTheHeader(swapped, "of segment 2 of store " + STORE_ID + " expected");

    MemoryStorage other = new MemoryStorage();
    try (Image image = Image.open(other, UUID.randomUUID(), Image.MIN_SEGMENT_BYTES, 1)) {
      Root unused = checkpoint(image, trie(entries(1, 120)));
    }
    Map<String, byte[]> foreign = new TreeMap<>(files);
    foreign.put(StoreFiles.imageSegment(1), other.files.get(StoreFiles.imageSegment(1)));
    assertThat(isDamageFound(foreign)).isTrue();
    assertNamesTheHeader(foreign, "of segment 1 of store " + STORE_ID + " expected");

    byte[] records = other.files.get(StoreFiles.imageSegment(1)).clone();
    System.arraycopy(files.get(StoreFiles.imageSegment(1)), 0, records, 0, ImageHeader.BYTES);
    foreign.put(StoreFiles.imageSegment(1), records); // even under the right header
    assertThat(isDamageFound(foreign)).isTrue();
  }

  /** It says which file was found, although the checksums of the records would tell as well. */
  private void assertNamesTheHeader(Map<String, byte[]> damaged, String expectation)
      throws IOException {
    try (Image image = Images.open(new MemoryStorage(damaged), nextSegment)) {
      assertThatThrownBy(() -> hasContent(image.load(root), model))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("offset 0: the header " + expectation);
    }
  }

  @Test
  void aSegmentOfAnotherFormatIsReportedAsSuch() throws IOException {
    ImageHeader header = new ImageHeader(7, 2, STORE_ID);
    Map<String, byte[]> newer = new TreeMap<>(files);
    byte[] bytes = files.get(StoreFiles.imageSegment(2)).clone();
    System.arraycopy(header.encode(), 0, bytes, 0, ImageHeader.BYTES);
    newer.put(StoreFiles.imageSegment(2), bytes);
    try (Image image = Images.open(new MemoryStorage(newer), nextSegment)) {
      assertThatThrownBy(() -> image.load(root))
          .isInstanceOf(IncompatibleStoreException.class)
          .hasMessageContaining("image-00000002.seg")
          .hasMessageContaining("7");
      assertThat(image.verify(root).faults()).hasSize(1);
    }
  }

  @Test
  void aRootThatDoesNotFitTheImageIsAnError() throws IOException {
    List<Root> wrong =
        List.of(
            new Root(root.address() + 1, root.oldestSegment(), root.size()),
            new Root(root.address(), root.oldestSegment() + 1, root.size()),
            new Root(root.address(), root.oldestSegment(), root.size() + 1),
            new Root(1, 1, 1),
            new Root(-1, 1, 1),
            new Root(Long.MAX_VALUE, 1, 1));
    try (Image image = Images.open(new MemoryStorage(files), nextSegment)) {
      for (Root each : wrong) {
        assertThatThrownBy(() -> image.load(each)).isInstanceOf(CorruptStoreException.class);
        assertThat(image.verify(each).faults()).hasSize(1);
        assertThat(image.verify(each).entriesLost()).isEqualTo(each.size());
      }
    }
  }

  @Test
  void theVerifierGoesOnBesideDamageAndSaysWhatIsLost() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 10_000; i++) {
      trie = trie.put(ByteBuffer.allocate(4).putInt(i * 400_009).array(), new byte[] {1});
    }
    try (Image image = Images.open(storage, 1)) {
      Root all = checkpoint(image, trie);
      Report sound = image.verify(all);
      assertThat(sound.faults()).isEmpty();
      assertThat(sound.entries()).isEqualTo(10_000);
      assertThat(sound.entriesLost()).isZero();
      assertThat(sound.bytes()).isLessThan(image.bytesWritten());
      byte[] bytes = storage.files.get(StoreFiles.imageSegment(1));
      bytes[20_000] ^= 1;
      bytes[40_000] ^= 1;
      Report report = image.verify(all);
      assertThat(report.faults()).hasSize(2);
      assertThat(report.entries() + report.entriesLost()).isEqualTo(10_000);
      assertThat(report.records()).isEqualTo(sound.records() - 2);
      long lost = 0;
      for (Fault fault : report.faults()) {
        assertThat(fault.cause()).isInstanceOf(CorruptStoreException.class);
        byte[] end = Trie.endOfPrefix(fault.keyPrefix());
        lost += (end == null ? trie.size() : trie.rank(end)) - trie.rank(fault.keyPrefix());
        assertThatThrownBy(() -> image.load(all).cursor().seek(fault.keyPrefix()))
            .isInstanceOf(CorruptStoreException.class);
      }
      assertThat(lost).isEqualTo(report.entriesLost()).isBetween(2L, 500L);
    }
  }
}
