package org.overlaytrie.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory that is read, for a store that is not open. Nothing in it is changed, so it may be
 * read-only; a store cannot be opened there meanwhile if its {@code LOCK} is there. Thread-safe as
 * {@link Storage} says.
 */
public final class ReadOnlyStorage implements Storage {
  private final Path directory;
  private final DirectoryLock lock;

  private ReadOnlyStorage(Path directory, DirectoryLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Takes hold of an existing directory.
   *
   * @throws org.overlaytrie.StoreLockedException if a store is open there, or it is being checked
   */
  public static ReadOnlyStorage open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    return new ReadOnlyStorage(absolute, DirectoryLock.acquireToRead(absolute));
  }

  /**
   * Makes sure that a store would take the lock file for its own.
   *
   * @throws org.overlaytrie.IncompatibleStoreException otherwise
   */
  public void requireOwnLock() throws IOException {
    lock.requireOwn();
  }

  @Override
  public List<String> list() throws IOException {
    return FileStorage.namesIn(directory);
  }

  @Override
  public StorageFile open(String name) throws IOException {
    if (name.equals(StoreFiles.LOCK)) { // closing it would give up the lock
      throw new IllegalArgumentException("the lock file is not to be read");
    }
    Path path = directory.resolve(name);
    if (!Files.isRegularFile(path)) {
      throw new NoSuchFileException(path.toString(), null, "is no file");
    }
    return new ReadOnlyFile(new RandomAccessFile(path.toFile(), "r"));
  }

  @Override
  public StorageFile create(String name, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forceDirectory() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String locate(String name) {
    return directory.resolve(name).toString();
  }

  @Override
  public void close() throws IOException {
    lock.release();
  }

  private record ReadOnlyFile(RandomAccessFile file) implements StorageFile {
    @Override
    public long size() throws IOException {
      return file.length();
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      file.seek(position);
      file.readFully(target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
