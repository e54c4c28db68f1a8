package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.Codec;
import org.overlaytrie.Codecs;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreLockedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;

/**
 * What users do wrong, on a real directory through the public API: an error that names what is
 * wrong, and the directory as it was.
 */
@Tag("crash")
class BadInputTest {
  private static final int SLOT_BYTES = 4096;
  private static final Map<String, String> CONTENT = Map.of("a", "1", "b", "2");

  @TempDir private Path parent;
  private Path directory;

  @BeforeEach
  void createAStore() {
    directory = parent.resolve("store");
    try (OverlayTrie<String, String> store = open(directory)) {
      store.putAll(CONTENT);
    }
  }

  @Test
  void nullsAndTooLongKeysChangeNothing() {
    try (OverlayTrie<String, String> store = open(directory)) {
      assertThatThrownBy(() -> store.put(null, "1")).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> store.put("c", null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> store.put("k".repeat(65_537), "1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("65536");
    }
    requireContent();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "content");
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("content");
  }

  @Test
  void aDirectoryThatCannotBeCreatedIsRefused() throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "content");
    assertThatThrownBy(() -> open(file.resolve("store")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("content");
  }

  /** On a simulated disk: the user who runs the tests may be one who may write everywhere. */
  @Test
  void aDirectoryThatMustNotBeWrittenIsRefused() throws IOException {
    SimulatedStorage empty = new SimulatedStorage();
    assertDenied(empty, "create");
    assertThat(empty.names()).isEmpty();
    assertDenied(Programs.closedStore(), "open");
  }

  private static void assertDenied(SimulatedStorage disk, String method) {
    String before = disk.fingerprint();
    Storage denying =
        (Storage)
            Proxy.newProxyInstance(
                BadInputTest.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, called, arguments) -> {
                  if (called.getName().equals(method)) {
                    throw new AccessDeniedException(disk.locate((String) arguments[0]));
                  }
                  return called.invoke(disk, arguments);
                });
    assertThatThrownBy(
            () ->
                StoreSeam.open(
                    denying, Codecs.string(), Codecs.string(), Programs.TINY, ProtocolEvents.NONE))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining(disk.locate(""));
    assertThat(disk.fingerprint()).isEqualTo(before);
    assertThatThrownBy(disk::list).hasMessageContaining("closed");
  }

  @Test
  void aLockFileThatCannotBeWrittenIsRefused() throws IOException {
    Files.delete(directory.resolve("LOCK"));
    Files.createDirectory(directory.resolve("LOCK"));
    assertRefused(UncheckedIOException.class, directory.resolve("LOCK").toString());
  }

  @Test
  void aStoreThatIsOpenIsRefusedUnderAnyName() throws IOException {
    Path link = Files.createSymbolicLink(parent.resolve("link"), directory);
    try (OverlayTrie<String, String> store = open(directory)) {
      for (Path name : List.of(directory, link, directory.resolve("../store"))) {
        assertThatThrownBy(() -> open(name))
            .isInstanceOf(StoreLockedException.class)
            .hasMessageContaining(name.toString());
      }
      assertThat(store.put("a", "3")).isEqualTo("1");
    }
    try (OverlayTrie<String, String> store = open(link)) {
      assertThat(store.put("a", "1")).isEqualTo("3");
    }
    requireContent();
  }

  @Test
  void foreignFilesAreNeverTurnedIntoAStore() throws IOException {
    Path foreign = Files.createDirectory(parent.resolve("foreign"));
    Files.writeString(foreign.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> open(foreign))
        .isInstanceOf(IncompatibleStoreException.class)
        .hasMessageContaining("notes.txt");
    assertThat(foreign).isDirectoryNotContaining("glob:**/{LOCK,superblock,wal*}");
    assertThat(foreign.resolve("notes.txt")).hasContent("mine");
  }

  @Test
  void otherCodecsAreRefused() throws IOException {
    for (Codec<?> other : List.of(Codecs.longs(), Codecs.bytes())) {
      assertRefused(
          () -> OverlayTrie.open(directory, Codecs.string(), other),
          IncompatibleStoreException.class,
          "superblock");
      assertRefused(
          () -> OverlayTrie.open(directory, other, Codecs.string()),
          IncompatibleStoreException.class,
          "superblock");
    }
    requireContent();
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    Path superblock = directory.resolve("superblock");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(superblock));
    for (int slot = 0; slot < bytes.capacity(); slot += SLOT_BYTES) {
      bytes.putInt(slot + 8, bytes.getInt(slot + 8) + 1);
      CRC32C checksum = new CRC32C();
      checksum.update(bytes.array(), slot, SLOT_BYTES - 4);
      bytes.putInt(slot + SLOT_BYTES - 4, (int) checksum.getValue());
    }
    Files.write(superblock, bytes.array());
    assertRefused(IncompatibleStoreException.class, "version 2");
  }

  @Test
  void anInterruptedCallerLosesNothing() {
    Thread.currentThread().interrupt();
    try (OverlayTrie<String, String> store = open(directory)) {
      store.put("a", "3");
      store.put("a", "1");
    }
    assertThat(Thread.interrupted()).isTrue();
    requireContent();
  }

  @Test
  void afterCloseEveryCallIsRefusedAndTheDirectoryIsFree() {
    OverlayTrie<String, String> store = open(directory);
    store.close();
    store.close();
    assertThatThrownBy(() -> store.put("a", "3")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.get("a")).isInstanceOf(IllegalStateException.class);
    requireContent();
  }

  @Test
  @Checks({"SequencedCommit!NoLostWriteInv", "SequencedCommit!NoInventedWriteInv"})
  void everyDamagedByteIsSurvivedOrReportedAndNothingIsChanged() throws IOException {
    SimulatedStorage intact = Programs.closedStore();
    int reported = 0;
    for (String name : intact.names()) {
      byte[] content = intact.content(name);
      for (int offset = 0; offset < content.length; offset++) {
        byte[] damaged = content.clone();
        damaged[offset] ^= 0x55;
        SimulatedStorage disk = intact.kill();
        disk.plant(name, damaged);
        reported += openDamaged(disk, name, offset) ? 1 : 0;
      }
    }
    assertThat(reported).as("reported damage").isGreaterThan(150);
  }

  /** Opens the store, whose content must be right; true if that is refused with an error. */
  private static boolean openDamaged(SimulatedStorage disk, String name, int offset)
      throws IOException {
    String before = disk.fingerprint();
    try (OverlayTrie<String, String> store =
        StoreSeam.open(
            disk, Codecs.string(), Codecs.string(), Programs.TINY, ProtocolEvents.NONE)) {
      assertThat(store).as("%s, offset %d", name, offset).isEqualTo(Programs.INITIAL);
      return false;
    } catch (CorruptStoreException e) {
      assertThat(e).hasMessageStartingWith(e.file() + ", offset " + e.offset() + ": expected");
      assertThat(e.file()).startsWith("simulated:/");
      assertThat(disk.fingerprint()).as("the disk").isEqualTo(before);
      return true;
    }
  }

  private static OverlayTrie<String, String> open(Path directory) {
    return OverlayTrie.open(directory, Codecs.string(), Codecs.string(), Programs.TINY);
  }

  private void assertRefused(Class<? extends Exception> type, String message) throws IOException {
    assertRefused(() -> open(directory), type, message);
  }

  private void assertRefused(Opening opening, Class<? extends Exception> type, String message)
      throws IOException {
    Map<String, String> before = files();
    assertThatThrownBy(opening::open).isInstanceOf(type).hasMessageContaining(message);
    assertThat(files()).isEqualTo(before);
  }

  private interface Opening {
    Object open();
  }

  /** All files with their content, but for the lock file, which says who has it. */
  private Map<String, String> files() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> !each.endsWith("LOCK")).toList()) {
        contents.put(file.toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private void requireContent() {
    try (OverlayTrie<String, String> store = open(directory)) {
      assertThat(store).isEqualTo(CONTENT);
    }
  }
}
