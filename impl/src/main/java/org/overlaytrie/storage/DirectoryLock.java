package org.overlaytrie.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.overlaytrie.StoreLockedException;

/**
 * The exclusive hold on a directory, against other processes by a lock on the file {@code LOCK} and
 * within this one by a registry.
 *
 * <p>The registry is asked first, before {@code LOCK} is opened: a process loses its lock on a file
 * as soon as it closes <em>any</em> descriptor of it, so an attempt to open a store twice must
 * never come as far as opening, and closing, the file. Directories are known by what they are, not
 * by their path, which may lead through symbolic links.
 */
final class DirectoryLock {

  /**
   * The registry lives in the system properties, which all class loaders of the process share, as
   * they share its file locks.
   */
  private static final String PROPERTY_PREFIX = "org.overlaytrie.open.";

  private final String property;
  private final RandomAccessFile file;

  private DirectoryLock(String property, RandomAccessFile file) {
    this.property = property;
    this.file = file;
  }

  /**
   * Takes the hold.
   *
   * @throws StoreLockedException if somebody has it
   */
  static DirectoryLock acquire(Path directory) throws IOException {
    String property = PROPERTY_PREFIX + identityOf(directory);
    if (System.getProperties().putIfAbsent(property, directory.toString()) != null) {
      throw new StoreLockedException(directory + " is already open in this process");
    }
    try {
      return new DirectoryLock(property, lock(directory));
    } catch (Throwable e) {
      System.getProperties().remove(property);
      throw e;
    }
  }

  private static String identityOf(Path directory) throws IOException {
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return key != null ? key.toString() : directory.toRealPath().toString();
  }

  private static RandomAccessFile lock(Path directory) throws IOException {
    Path path = directory.resolve(StoreFiles.LOCK);
    RandomAccessFile file = open(path);
    try {
      FileLock[] lock = new FileLock[1];
      Uninterrupted.run(() -> lock[0] = tryLock(file));
      if (lock[0] == null) {
        throw new StoreLockedException(directory + " is already open in " + holder(file));
      }
      byte[] holder = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
      file.setLength(0);
      file.write(holder);
      return file;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private static RandomAccessFile open(Path path) throws IOException {
    try {
      return new RandomAccessFile(path.toFile(), "rw");
    } catch (FileNotFoundException e) { // also what a missing permission is reported as
      FileSystemException failure =
          new FileSystemException(
              path.toString(),
              null,
              "cannot be written; a store needs a directory that this process may write to");
      failure.initCause(e);
      throw failure;
    }
  }

  private static FileLock tryLock(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock();
    } catch (OverlappingFileLockException e) { // held by this process, though not registered
      return null;
    }
  }

  /** Who holds the lock: what the holder wrote into the file, if that is a living process. */
  private static String holder(RandomAccessFile file) throws IOException {
    String line = file.readLine();
    try {
      long pid = Long.parseLong(line == null ? "" : line);
      return ProcessHandle.of(pid).isPresent() ? "process " + pid : "another process";
    } catch (NumberFormatException e) {
      return "another process";
    }
  }

  /** Gives the hold up. Idempotent. */
  synchronized void release() throws IOException {
    if (file.getChannel().isOpen()) {
      try {
        file.close();
      } finally {
        System.getProperties().remove(property);
      }
    }
  }
}
