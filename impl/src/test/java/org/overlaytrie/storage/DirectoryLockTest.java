package org.overlaytrie.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.StoreLockedException;

class DirectoryLockTest {

  @TempDir Path directory;

  @Test
  void aSecondOpenInThisProcessIsRefusedAndLeavesTheFirstItsLock() throws Exception {
    try (Storage first = FileStorage.open(directory)) {
      assertThatThrownBy(() -> FileStorage.open(directory))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("in this process");
      assertOneDescriptor(directory);
      assertThat(first.list()).containsExactly(StoreFiles.LOCK);
      assertThat(otherProcessFinds(directory))
          .isEqualTo(
              "locked: "
                  + directory
                  + " is already open in process "
                  + ProcessHandle.current().pid());
    }
    assertThat(otherProcessFinds(directory)).isEqualTo("held");
  }

  @Test
  void aSecondOpenThroughASymbolicLinkIsRefused() throws Exception {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    try (Storage first = FileStorage.open(link)) {
      assertThatThrownBy(() -> FileStorage.open(real)).isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> FileStorage.open(real.resolve("../link/.")))
          .isInstanceOf(StoreLockedException.class);
      assertOneDescriptor(real);
      assertThat(first.list()).containsExactly(StoreFiles.LOCK);
      assertThat(otherProcessFinds(real)).startsWith("locked: ");
    }
  }

  @Test
  void aSecondOpenByAnotherClassLoaderIsRefusedAndLeavesTheFirstItsLock() throws Exception {
    try (Storage first = FileStorage.open(directory);
        URLClassLoader loader = new URLClassLoader(classPath(), null)) {
      Class<?> copy = loader.loadClass(FileStorage.class.getName());
      assertThat(copy).isNotSameAs(FileStorage.class);
      Method open = copy.getMethod("open", Path.class);
      assertThatThrownBy(() -> open.invoke(null, directory))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasToString(
              StoreLockedException.class.getName()
                  + ": "
                  + directory
                  + " is already open in this process");
      assertThat(first.list()).containsExactly(StoreFiles.LOCK);
      assertThat(otherProcessFinds(directory)).startsWith("locked: ");
    }
  }

  @Test
  void anOpenIsRefusedWhileAnotherProcessLives() throws Exception {
    Process holder = start(directory);
    try (BufferedReader output = holder.inputReader()) {
      assertThat(output.readLine()).isEqualTo("held");
      assertThatThrownBy(() -> FileStorage.open(directory))
          .isInstanceOf(StoreLockedException.class)
          .hasMessage(directory + " is already open in process " + holder.pid());
    } finally {
      holder.destroyForcibly().waitFor();
    }
    FileStorage.open(directory).close();
  }

  @Test
  void readingIsRefusedWhileAnotherProcessHasTheDirectory() throws Exception {
    Process holder = start(directory);
    try (BufferedReader output = holder.inputReader()) {
      assertThat(output.readLine()).isEqualTo("held");
      assertThatThrownBy(() -> ReadOnlyStorage.open(directory))
          .isInstanceOf(StoreLockedException.class)
          .hasMessage(directory + " is open in process " + holder.pid());
    } finally {
      holder.destroyForcibly().waitFor();
    }
    ReadOnlyStorage.open(directory).close();
  }

  @Test
  void readingKeepsOthersOutAndNeitherTakesNorGivesUpTheLockOfAnOpenStore() throws Exception {
    try (Storage store = FileStorage.open(directory)) {
      assertThatThrownBy(() -> ReadOnlyStorage.open(directory))
          .isInstanceOf(StoreLockedException.class);
      assertOneDescriptor(directory);
      assertThat(otherProcessFinds(directory)).startsWith("locked: ");
      assertThat(store.list()).containsExactly(StoreFiles.LOCK);
    }
    byte[] lock = Files.readAllBytes(directory.resolve(StoreFiles.LOCK));
    try (ReadOnlyStorage reading = ReadOnlyStorage.open(directory)) {
      reading.requireOwnLock();
      assertThatThrownBy(() -> FileStorage.open(directory))
          .isInstanceOf(StoreLockedException.class);
      assertThat(otherProcessFinds(directory)).startsWith("locked: ");
    }
    assertThat(directory.resolve(StoreFiles.LOCK)).hasBinaryContent(lock);
    FileStorage.open(directory).close();
  }

  @Test
  void closingTwiceDoesNotTakeTheHoldFromTheNextOwner() throws IOException {
    Storage first = FileStorage.open(directory);
    first.close();
    try (Storage second = FileStorage.open(directory)) {
      first.close();
      assertThatThrownBy(() -> FileStorage.open(directory))
          .isInstanceOf(StoreLockedException.class);
      assertThat(second.list()).containsExactly(StoreFiles.LOCK);
      assertOneDescriptor(directory);
    }
  }

  /** A refused open must not have opened the lock file: it could only keep it open, or lose it. */
  private static void assertOneDescriptor(Path directory) throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return; // not Linux, where they cannot be counted
    }
    int count = 0;
    try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
      for (Path link : links) {
        if (Files.exists(link) && Files.isSameFile(link, directory.resolve(StoreFiles.LOCK))) {
          count++;
        }
      }
    }
    assertThat(count).isEqualTo(1);
  }

  private static String otherProcessFinds(Path directory) throws Exception {
    Process process = start(directory);
    process.getOutputStream().close();
    try (BufferedReader output = process.inputReader()) {
      return output.readLine();
    } finally {
      assertThat(process.waitFor()).isZero();
    }
  }

  private static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static URL[] classPath() {
    return new URL[] {FileStorage.class.getProtectionDomain().getCodeSource().getLocation()};
  }
}
