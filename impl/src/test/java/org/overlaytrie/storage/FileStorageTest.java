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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.IncompatibleStoreException;

class FileStorageTest {

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
  void readsNothingBehindTheEnd() throws IOException {
    try (Storage storage = FileStorage.open(temporary);
        StorageFile file = storage.create("file", 10)) {
      assertThatThrownBy(() -> file.read(5, new byte[6], 0, 6)).isInstanceOf(EOFException.class);
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
