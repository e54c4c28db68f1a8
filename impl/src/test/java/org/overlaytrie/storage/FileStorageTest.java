package org.overlaytrie.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.IncompatibleStoreException;

class FileStorageTest {

  private static final String SEGMENT = StoreFiles.segment(1);

  @TempDir Path temporary;

  @Test
  void createsTheDirectoryAndItsParents() throws IOException {
    Path directory = temporary.resolve("a/b/c");
    try (Storage storage = FileStorage.open(directory)) {
      assertThat(storage.list()).containsExactly(StoreFiles.LOCK);
      assertThat(storage.locate("name")).isEqualTo(directory.resolve("name").toString());
    }
  }

  @Test
  void refusesAFileInPlaceOfTheDirectory() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "content");
    for (Path path : new Path[] {file, file.resolve("below")}) {
      assertThatThrownBy(() -> FileStorage.open(path))
          .isInstanceOf(FileSystemException.class)
          .hasMessage(file + ": is a file; a store needs a directory of its own");
    }
    assertThat(file).hasContent("content");
  }

  @Test
  void namesTheLockFileIfItCannotBeWritten() throws IOException {
    Path lock = Files.createDirectory(temporary.resolve(StoreFiles.LOCK));
    assertThatThrownBy(() -> FileStorage.open(temporary))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(lock + ": cannot be written");
    Files.delete(lock);
    FileStorage.open(temporary).close();
  }

  @Test
  void namesTheDirectoryIfItMustNotBeWritten() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("directory"));
    assertThat(directory.toFile().setWritable(false)).isTrue();
    assumeFalse(Files.isWritable(directory), "this user may write everywhere");
    assertThatThrownBy(() -> FileStorage.open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(directory.resolve(StoreFiles.LOCK) + ": cannot be written");
  }

  @Test
  void refusesADirectoryOfForeignFilesAndLeavesItAlone() throws IOException {
    Files.writeString(temporary.resolve("wal-00000000.log"), "no segment has this number");
    assertThatThrownBy(() -> FileStorage.open(temporary))
        .isInstanceOf(IncompatibleStoreException.class)
        .hasMessageContaining(temporary.toString())
        .hasMessageContaining("wal-00000000.log");
    assertThat(temporary.resolve(StoreFiles.LOCK)).doesNotExist();
  }

  @Test
  void refusesAForeignFileCalledLock() throws IOException {
    for (String content : new String[] {"a note of mine", "1".repeat(20), "12\n"}) {
      Path lock = Files.writeString(temporary.resolve(StoreFiles.LOCK), content);
      assertThatThrownBy(() -> FileStorage.open(temporary))
          .isInstanceOf(IncompatibleStoreException.class)
          .hasMessageContaining(lock + " was not written by a store");
      assertThat(lock).hasContent(content);
    }
    for (String content : new String[] {"", "4194304", "\0\0\0"}) {
      Files.writeString(temporary.resolve(StoreFiles.LOCK), content);
      FileStorage.open(temporary).close();
    }
  }

  @Test
  void writesNothingWhereTheDirectoryWasBeforeItWasMoved() throws IOException {
    Path directory = temporary.resolve("store");
    try (Storage moved = FileStorage.open(directory)) {
      Files.move(directory, temporary.resolve("moved"));
      assertNotInPlace(moved, directory);
      try (Storage other = FileStorage.open(directory);
          StorageFile file = other.create(SEGMENT, 10)) {
        assertNotInPlace(moved, directory);
        assertThat(other.list()).containsExactlyInAnyOrder(StoreFiles.LOCK, SEGMENT);
        assertThat(file.size()).isEqualTo(10);
      }
    }
    FileStorage.open(directory).close();
    FileStorage.open(temporary.resolve("moved")).close();
  }

  @Test
  void writesNothingOnceAnotherHasReplacedTheLock() throws IOException {
    Path directory = temporary.resolve("store");
    try (Storage storage = FileStorage.open(directory)) {
      Files.delete(directory.resolve(StoreFiles.LOCK));
      assertNotInPlace(storage, directory);
      Files.createFile(directory.resolve(StoreFiles.LOCK));
      assertNotInPlace(storage, directory);
    }
  }

  private static void assertNotInPlace(Storage storage, Path directory) {
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> storage.create(SEGMENT, 5),
            () -> storage.create("new", 5),
            () -> storage.open(SEGMENT),
            () -> storage.delete(SEGMENT),
            storage::forceDirectory)) {
      assertThatThrownBy(use)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(directory.toString());
    }
    assertThat(directory.resolve("new")).doesNotExist();
  }

  @Test
  void toleratesForeignFilesBesideAStore() throws IOException {
    Files.writeString(temporary.resolve("notes.txt"), "mine");
    Files.writeString(temporary.resolve(StoreFiles.segment(1)), "a store's");
    FileStorage.open(temporary).close();
    assertThat(temporary.resolve("notes.txt")).hasContent("mine");
  }

  @Test
  void opensOnlyFilesThatExist() throws IOException {
    try (Storage storage = FileStorage.open(temporary)) {
      assertThatThrownBy(() -> storage.open("missing"))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(temporary.resolve("missing").toString());
      assertThat(storage.list()).containsExactly(StoreFiles.LOCK);
    }
  }

  @Test
  void createsFilesOfZerosInPlaceOfOthers() throws IOException {
    Files.writeString(temporary.resolve(StoreFiles.SUPERBLOCK), "x".repeat(200_000));
    try (Storage storage = FileStorage.open(temporary);
        StorageFile file = storage.create(StoreFiles.SUPERBLOCK, 100_001)) {
      assertThat(file.size()).isEqualTo(100_001);
      byte[] content = new byte[100_001];
      Arrays.fill(content, (byte) 1);
      file.read(0, content, 0, content.length);
      assertThat(content).containsOnly(0);
    }
  }

  @Test
  void filesGrowByWhatIsWrittenBeyondTheirEnd() throws IOException {
    try (Storage storage = FileStorage.open(temporary.resolve("store"));
        StorageFile file = storage.create(StoreFiles.imageSegment(1), 0);
        StorageFile reader = storage.open(StoreFiles.imageSegment(1))) {
      assertThat(file.size()).isZero();
      file.write(0, new byte[] {1, 2}, 0, 2);
      assertThat(reader.size()).isEqualTo(2);
      file.write(5, new byte[] {3}, 0, 1);
      file.force();
      byte[] content = new byte[6];
      reader.read(0, content, 0, 6);
      assertThat(content).containsExactly(1, 2, 0, 0, 0, 3);
    }
  }

  @Test
  void knowsTheNamesOfItsFilesAndNoOthers() {
    for (int number : new int[] {1, 0xabc, Integer.MAX_VALUE}) {
      assertThat(StoreFiles.segmentNumber(StoreFiles.segment(number))).hasValue(number);
      assertThat(StoreFiles.imageSegmentNumber(StoreFiles.imageSegment(number))).hasValue(number);
      assertThat(StoreFiles.imageSegmentNumber(StoreFiles.segment(number))).isEmpty();
    }
    for (String other :
        List.of("image-00000000.seg", "image-80000000.seg", "image-1.seg", "image-0000000A.seg")) {
      assertThat(StoreFiles.imageSegmentNumber(other)).as(other).isEmpty();
    }
  }

  @Test
  void aSegmentOfAnImageShowsThatADirectoryIsAStore() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("store"));
    Files.createFile(directory.resolve("notes.txt"));
    Files.createFile(directory.resolve(StoreFiles.imageSegment(3)));
    FileStorage.open(directory).close();
  }

  @Test
  void readsNothingBehindTheEnd() throws IOException {
    try (Storage storage = FileStorage.open(temporary);
        StorageFile file = storage.create("file", 10)) {
      assertThatThrownBy(() -> file.read(5, new byte[6], 0, 6)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void namesTheFileAndTheOffsetOfWhatCannotBeDone() throws IOException {
    try (Storage storage = FileStorage.open(temporary)) {
      StorageFile file = storage.create(SEGMENT, 10);
      file.close(); // whatever is asked of it fails from here on
      String path = storage.locate(SEGMENT);
      assertThatThrownBy(() -> file.write(5, new byte[2], 0, 2))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(path + ": 2 bytes at offset 5 cannot be written: ")
          .hasCauseInstanceOf(IOException.class);
      assertThatThrownBy(() -> file.read(5, new byte[2], 0, 2))
          .hasMessageContaining(path + ": 2 bytes at offset 5 cannot be read: ");
      assertThatThrownBy(file::force).hasMessageContaining(path + ": it cannot be forced: ");
      assertThatThrownBy(file::size).hasMessageContaining(path + ": its length cannot be read: ");
    }
  }

  @Test
  void anInterruptedThreadDoesEverythingAndStaysInterrupted() throws IOException {
    byte[] text = "text".getBytes(StandardCharsets.UTF_8);
    Thread.currentThread().interrupt();
    try {
      Path directory = temporary.resolve("new/store");
      Storage storage = FileStorage.open(directory);
      StorageFile created = storage.create("file", 100);
      created.force();
      created.write(50, text, 0, text.length);
      created.force();
      storage.forceDirectory();
      created.close();
      StorageFile opened = storage.open("file");
      assertThat(opened.size()).isEqualTo(100);
      byte[] read = new byte[text.length];
      opened.read(50, read, 0, read.length);
      assertThat(read).isEqualTo(text);
      opened.write(60, text, 0, text.length);
      opened.force();
      opened.close();
      storage.delete("file");
      storage.forceDirectory();
      assertThat(storage.list()).containsExactly(StoreFiles.LOCK);
      storage.close();
      FileStorage.open(directory).close();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
