package org.overlaytrie.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.StoreLockedException;

/**
 * The exclusive hold on a directory, against other processes by a lock on the file {@code LOCK} and
 * within this one by a registry.
 *
 * <p>A process loses its lock on a file as soon as it closes <em>any</em> descriptor of it. An
 * attempt to open a store twice must therefore never come as far as closing {@code LOCK}: the
 * registry is asked before the file is opened. Directories are known by what they are, not by their
 * path, which may lead through symbolic links.
 */
final class DirectoryLock {

  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Open {@code LOCK} files, to keep their descriptors from being collected and thereby closed: of
   * this class while they are held, and for ever if closing them failed; and those that this
   * process holds although this class does not know of it, since another class loader has its own
   * copy of this class.
   */
  private static final Set<RandomAccessFile> UNCLOSED = ConcurrentHashMap.newKeySet();

  /** As many digits as a process's number has at most. */
  private static final int MAX_CONTENT_BYTES = 19;

  private final Path directory;
  private final Object identity;
  private final RandomAccessFile file;
  private final Object fileIdentity;
  private boolean released;

  private DirectoryLock(
      Path directory, Object identity, RandomAccessFile file, Object fileIdentity) {
    this.directory = directory;
    this.identity = identity;
    this.file = file;
    this.fileIdentity = fileIdentity;
  }

  /**
   * Takes the hold.
   *
   * @throws StoreLockedException if somebody has it
   */
  static DirectoryLock acquire(Path directory) throws IOException {
    return hold(directory, DirectoryLock::lock);
  }

  /**
   * Takes the hold for somebody who only reads: nobody opens the directory meanwhile, and nothing
   * in it is changed. {@code LOCK} need not exist.
   *
   * @throws StoreLockedException if somebody has it
   */
  static DirectoryLock acquireToRead(Path directory) throws IOException {
    return hold(directory, DirectoryLock::lockToRead);
  }

  private interface Locking {
    DirectoryLock lock(Path directory, Object identity) throws IOException;
  }

  private static DirectoryLock hold(Path directory, Locking locking) throws IOException {
    Object identity = identityOf(directory);
    if (!HELD.add(identity)) {
      throw heldInThisProcess(directory);
    }
    try {
      return locking.lock(directory, identity);
    } catch (Throwable e) {
      HELD.remove(identity);
      throw e;
    }
  }

  private static DirectoryLock lockToRead(Path directory, Object identity) throws IOException {
    Path path = directory.resolve(StoreFiles.LOCK);
    if (!Files.isRegularFile(path)) {
      return new DirectoryLock(directory, identity, null, null);
    }
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
    try {
      FileLock[] lock = new FileLock[1];
      Uninterrupted.run(() -> lock[0] = file.getChannel().tryLock(0, Long.MAX_VALUE, true));
      if (lock[0] == null) {
        throw new StoreLockedException(directory + " is open in " + holder(file));
      }
      DirectoryLock hold = new DirectoryLock(directory, identity, file, identityOf(path));
      UNCLOSED.add(file);
      return hold;
    } catch (OverlappingFileLockException e) {
      UNCLOSED.add(file);
      throw heldInThisProcess(directory);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /** Throws if {@code LOCK} is a file of somebody else, as {@link #acquire} does. */
  void requireOwn() throws IOException {
    if (file != null) {
      file.seek(0);
      requireOwn(file, directory);
    }
  }

  private static Object identityOf(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key != null ? key : path.toRealPath();
  }

  /**
   * Makes sure that the path still leads to the directory that is held, and to the file that is
   * locked in it. A store that was moved must not write where it was: another may be there by now.
   *
   * @throws IOException if it does not
   */
  void requireInPlace() throws IOException {
    boolean inPlace;
    try {
      inPlace =
          identityOf(directory).equals(identity)
              && identityOf(directory.resolve(StoreFiles.LOCK)).equals(fileIdentity);
    } catch (NoSuchFileException e) {
      inPlace = false;
    }
    if (!inPlace) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "is no longer the directory of this store: it, or its LOCK file, was moved, deleted or"
              + " replaced while the store was open");
    }
  }

  private static DirectoryLock lock(Path directory, Object identity) throws IOException {
    RandomAccessFile file = openFile(directory.resolve(StoreFiles.LOCK));
    try {
      FileLock[] lock = new FileLock[1];
      Uninterrupted.run(() -> lock[0] = file.getChannel().tryLock());
      if (lock[0] == null) {
        throw new StoreLockedException(directory + " is already open in " + holder(file));
      }
      requireOwn(file, directory);
      file.setLength(0);
      file.writeBytes(Long.toString(ProcessHandle.current().pid()));
      DirectoryLock hold =
          new DirectoryLock(
              directory, identity, file, identityOf(directory.resolve(StoreFiles.LOCK)));
      UNCLOSED.add(file);
      return hold;
    } catch (OverlappingFileLockException e) {
      UNCLOSED.add(file);
      throw heldInThisProcess(directory);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /**
   * Refuses to write into a file of somebody else that happens to be called {@code LOCK} too. Ours
   * is empty or holds a number, of which a power loss may leave zero bytes.
   */
  private static void requireOwn(RandomAccessFile file, Path directory) throws IOException {
    byte[] content = new byte[(int) Math.min(file.length(), MAX_CONTENT_BYTES + 1)];
    file.readFully(content);
    boolean own = content.length <= MAX_CONTENT_BYTES;
    for (byte next : content) {
      own &= next == 0 || (next >= '0' && next <= '9');
    }
    if (!own) {
      throw new IncompatibleStoreException(
          directory.resolve(StoreFiles.LOCK)
              + " was not written by a store; name an empty or a new directory");
    }
  }

  private static StoreLockedException heldInThisProcess(Path directory) {
    return new StoreLockedException(directory + " is already open in this process");
  }

  private static RandomAccessFile openFile(Path path) throws IOException {
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

  /** Who holds the lock: what the holder wrote into the file, if that is a living process. */
  private static String holder(RandomAccessFile file) throws IOException {
    String line = file.readLine();
    if (line != null && line.matches("[0-9]{1,18}")) {
      long pid = Long.parseLong(line);
      if (ProcessHandle.of(pid).isPresent()) {
        return "process " + pid;
      }
    }
    return "another process";
  }

  /**
   * Gives the hold up. Idempotent: what an {@link Error} ended halfway, a second call completes.
   */
  synchronized void release() throws IOException {
    if (released) {
      return;
    }
    try {
      if (file != null) {
        file.close();
        UNCLOSED.remove(file);
      }
    } finally {
      HELD.remove(identity);
      released = true;
    }
  }
}
