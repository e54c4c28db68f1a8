package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.wal.LogFixture.SEGMENT_BYTES;
import static org.overlaytrie.wal.LogFixture.batch;
import static org.overlaytrie.wal.LogFixture.put;
import static org.overlaytrie.wal.LogFixture.remove;
import static org.overlaytrie.wal.LogFixture.removeRange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.LogFixture.Opened;

/** {@code docs/FORMAT.md} shows the bytes that this code writes, and says what they mean. */
class FormatDocTest {

  private static final Path DOCUMENT = Path.of("../docs/FORMAT.md");

  /** The dumps of the document by file name, from sections called {@code ### `name`}. */
  private static Map<String, byte[]> documentedFiles() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> section : sections().entrySet()) {
      List<String> lines = section.getValue();
      int begin = lines.indexOf("```text");
      int end = begin + 1 + lines.subList(begin + 1, lines.size()).indexOf("```");
      files.put(section.getKey(), HexDump.read(lines.subList(begin + 1, end)));
    }
    return files;
  }

  private static Map<String, List<String>> sections() throws IOException {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    List<String> current = new ArrayList<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      if (line.startsWith("#")) {
        current = new ArrayList<>();
        if (line.matches("### `.*`")) {
          sections.put(line.substring(5, line.length() - 1), current);
        }
      }
      current.add(line);
    }
    return sections;
  }

  /** The history that the document tells. */
  private static Map<String, byte[]> writtenFiles() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Opened opened = LogFixture.open(storage, SEGMENT_BYTES, ProtocolEvents.NONE);
    WriteAheadLog log = opened.log();
    log.append(1, List.of(put("a", "1"), remove("a")));
    log.force();
    log.append(3, List.of(put("b", "x".repeat(3700))));
    log.force();
    log.append(4, List.of(put("c", "2")));
    log.force();
    log.append(5, List.of(batch(put("d", "3"), remove("c"), removeRange("a", "c"))));
    log.append(6, List.of(removeRange("e", null)));
    log.force();
    log.close();
    return storage.files;
  }

  @Test
  void theDocumentShowsWhatTheCodeWrites() throws IOException {
    Map<String, byte[]> documented = documentedFiles();
    Map<String, byte[]> written = writtenFiles();
    assertThat(documented.remove(StoreFiles.LOCK)).asString().matches("[0-9]+");
    assertThat(documented).containsOnlyKeys(written.keySet());
    written.forEach(
        (name, bytes) ->
            assertThat(HexDump.write(documented.get(name)))
                .as(name)
                .isEqualTo(HexDump.write(bytes)));
  }

  @Test
  void theDocumentedFilesAreAStoreWithTheContentThatTheTextTells() throws IOException {
    Map<String, byte[]> documented = documentedFiles();
    documented.remove(StoreFiles.LOCK);
    Opened opened =
        LogFixture.open(new MemoryStorage(documented), SEGMENT_BYTES, ProtocolEvents.NONE);
    assertThat(opened.log().incarnation()).isEqualTo(2);
    assertThat(opened.replayed())
        .containsExactly("a=1", "-a", "b=" + "x".repeat(3700), "c=2", "[d=3, -c, -a..c]", "-e..");
  }

  @Test
  void theDocumentedFramesAreThoseOfItsTables() throws IOException {
    Map<String, byte[]> documented = documentedFiles();
    for (int number = 1; number <= 2; number++) {
      String name = StoreFiles.segment(number);
      List<String> rows = new ArrayList<>(sections().get(name));
      rows.removeIf(row -> !row.matches("\\| [0-9]+ \\|.*"));
      assertThat(rows).as(name).isEqualTo(framesIn(number, documented.get(name)));
    }
  }

  /** Rows of offset, kind, payload length, count, incarnation, first LSN, forced LSN. */
  private static List<String> framesIn(int number, byte[] segment) {
    List<String> rows = new ArrayList<>();
    Checksums checksums = new Checksums(LogFixture.STORE_ID);
    for (int at = SegmentHeader.BYTES; at < segment.length; ) {
      Frame frame = Frame.decode(ByteBuffer.wrap(segment), at, checksums, number, at);
      if (frame == null) {
        break;
      }
      rows.add(
          String.format(
              "| %d | %s | %d | %d | %d | %d | %d |",
              at,
              frame.kind(),
              frame.payloadBytes(),
              frame.count(),
              frame.incarnation(),
              frame.firstLsn(),
              frame.forcedLsn()));
      at += (int) frame.bytes();
    }
    return rows;
  }

  @Test
  void theDocumentNamesTheLimitsOfTheCode() throws IOException {
    String text = Files.readString(DOCUMENT, StandardCharsets.UTF_8);
    assertThat(text)
        .contains("at most " + LogRecord.MAX_KEY_BYTES + " bytes")
        .contains("at most " + LogRecord.MAX_VALUE_BYTES + " bytes")
        .contains("at most " + LogRecord.MAX_BATCH_BYTES + " bytes")
        .contains("`format version` is " + StoreFiles.FORMAT_VERSION);
  }
}
