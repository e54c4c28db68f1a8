package org.overlaytrie.image;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.image.Images.checkpoint;
import static org.overlaytrie.image.Images.hasContent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.HexDump;
import org.overlaytrie.wal.MemoryStorage;

/** The image's section of {@code docs/FORMAT.md} shows the bytes that this code writes. */
class ImageFormatDocTest {
  private static final Path DOCUMENT = Path.of("../docs/FORMAT.md");

  private final NavigableMap<byte[], byte[]> model = Images.newModel();
  private final List<Root> roots = new ArrayList<>();

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  /** The history that the document tells. */
  private Map<String, byte[]> written() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    model.put(ascii("key/a"), ascii("1"));
    model.put(ascii("key/ab"), ascii("2"));
    model.put(ascii("key/b"), ascii("x".repeat(300)));
    try (Image image = Images.open(storage, 1)) {
      roots.add(checkpoint(image, Images.trie(model)));
    }
    try (Image image = Images.open(storage, 2)) {
      Trie trie = image.load(roots.get(0));
      model.put(ascii("key/c"), ascii("3"));
      roots.add(checkpoint(image, trie.put(ascii("key/c"), ascii("3"))));
    }
    return storage.files;
  }

  private static List<String> section(String name) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    int begin = lines.indexOf("#### `" + name + "`");
    assertThat(begin).as("the section of %s", name).isNotNegative();
    List<String> rest = lines.subList(begin + 1, lines.size());
    return rest.stream().takeWhile(line -> !line.startsWith("#")).collect(Collectors.toList());
  }

  private static byte[] dumpIn(List<String> section) {
    int begin = section.indexOf("```text");
    int end = begin + 1 + section.subList(begin + 1, section.size()).indexOf("```");
    return HexDump.read(section.subList(begin + 1, end));
  }

  @Test
  void theDocumentShowsWhatTheCodeWrites() throws IOException {
    for (var file : written().entrySet()) {
      assertThat(HexDump.write(dumpIn(section(file.getKey()))))
          .as(file.getKey())
          .isEqualTo(HexDump.write(file.getValue()));
    }
  }

  @Test
  void theDocumentedRecordsAreThoseOfItsTables() throws IOException {
    for (var file : written().entrySet()) {
      List<String> rows = new ArrayList<>(section(file.getKey()));
      rows.removeIf(row -> !row.matches("\\| [0-9]+ \\|.*"));
      assertThat(rows).as(file.getKey()).isEqualTo(recordsIn(file.getValue()));
    }
  }

  /** Rows of offset, length of the payload, and the kind. */
  private static List<String> recordsIn(byte[] segment) {
    String[] kinds = {"leaf", "branch", "branch with value"};
    List<String> rows = new ArrayList<>();
    for (int at = ImageHeader.BYTES; at < segment.length; ) {
      byte[] rest = Arrays.copyOfRange(segment, at, segment.length);
      int length = RecordFraming.payloadLength(rest, rest.length);
      int before = RecordFraming.bytesBefore(length);
      rows.add(String.format("| %d | %d | %s |", at, length, kinds[rest[before]]));
      at += before + length;
    }
    return rows;
  }

  @Test
  void theDocumentedFilesAreAnImageWithTheContentThatTheTextTells() throws IOException {
    Map<String, byte[]> documented = new TreeMap<>();
    for (String name : written().keySet()) {
      documented.put(name, dumpIn(section(name)));
    }
    assertThat(documented).containsOnlyKeys(StoreFiles.imageSegment(1), StoreFiles.imageSegment(2));
    try (Image image = Images.open(new MemoryStorage(documented), 3)) {
      assertThat(hasContent(image.load(roots.get(1)), model)).isTrue();
      model.remove(ascii("key/c"));
      assertThat(hasContent(image.load(roots.get(0)), model)).isTrue();
    }
    String text = Files.readString(DOCUMENT);
    for (Root root : roots) {
      assertThat(text)
          .contains(
              String.format(
                  "`0x%016x`, oldest segment %d, %d entries",
                  root.address(), root.oldestSegment(), root.size()));
    }
  }

  @Test
  void theDocumentNamesTheLimitsOfTheCode() throws IOException {
    assertThat(Files.readString(DOCUMENT))
        .contains("`format-version` of the image is " + StoreFiles.FORMAT_VERSION)
        .contains("A payload has at most " + RecordFraming.MAX_PAYLOAD_BYTES + " bytes")
        .contains("suffix and a value of at most 255 bytes each");
  }
}
