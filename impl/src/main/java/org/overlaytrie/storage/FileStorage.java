package org.overlaytrie.storage;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory of the file system. Files are {@link RandomAccessFile}s, which an interrupt cannot
 * close, forced by {@code FileDescriptor.sync}.
 *
 * <p>Files are found by the path of the directory; as nothing keeps others from moving that, each
 * operation on a name makes sure that the path still leads there.
 *
 * <p>Thread-safe as {@link Storage} says.
 */
public final class FileStorage implements Storage {

  private static final byte[] ZEROS = new byte[1 << 16];

  private final Path directory;
  private final DirectoryLock lock;

  private FileStorage(Path directory, DirectoryLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Takes hold of {@code directory}, which is created, with its parents, if it does not exist.
   *
   * @throws org.overlaytrie.StoreLockedException if a store is open there, in this process or
   *     another, under whatever path
   * @throws org.overlaytrie.IncompatibleStoreException if the directory holds files, but no store
   * @throws IOException naming the path, if it is no directory or cannot be written
   */
  public static FileStorage open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    createDirectories(absolute);
    StoreFiles.requireStoreOrEmpty(namesIn(absolute), absolute.toString());
    return new FileStorage(absolute, DirectoryLock.acquire(absolute));
  }

  /**
   * Takes hold of {@code directory} for a store that is to be written there as a whole. It is
   * created if it does not exist; it must hold nothing, or no more than an earlier {@code LOCK}.
   * Errors as for {@link #open}.
   */
  public static FileStorage openEmpty(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    if (Files.isDirectory(absolute)) { // not even LOCK may be touched in the directory of a store
      StoreFiles.requireEmpty(namesIn(absolute), absolute.toString());
    }
    FileStorage storage = open(directory);
    try {
      StoreFiles.requireEmpty(storage.list(), absolute.toString());
      return storage;
    } catch (Throwable e) {
      storage.close();
      throw e;
    }
  }

  /** Creates what is missing of the path, and makes each new entry durable in its parent. */
  private static void createDirectories(Path directory) throws IOException {
    Path existing = directory;
    while (!Files.exists(existing)) {
      if (Files.isSymbolicLink(existing)) {
        throw new FileSystemException(
            existing.toString(), null, "is a symbolic link to a file that does not exist");
      }
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      throw new FileSystemException(
          existing.toString(), null, "is a file; a store needs a directory of its own");
    }
    Files.createDirectories(directory);
    for (Path created = directory; !created.equals(existing); created = created.getParent()) {
      forceDirectory(created.getParent());
    }
  }

  @Override
  public List<String> list() throws IOException {
    return namesIn(directory);
  }

  /** The names of the files in {@code directory}. */
  static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
    }
  }

  @Override
  public StorageFile create(String name, long size) throws IOException {
    lock.requireInPlace(); // not even an empty file may appear in the directory of another store
    Path path = directory.resolve(name);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      lock.requireInPlace(); // what is replaced is of this store: a crash left it half created
      file.setLength(0);
      OpenFile created = new OpenFile(path, file);
      for (long written = 0; written < size; ) {
        int length = (int) Math.min(ZEROS.length, size - written);
        created.write(written, ZEROS, 0, length);
        written += length;
      }
      return created;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  @Override
  public StorageFile open(String name) throws IOException {
    lock.requireInPlace();
    Path path = directory.resolve(name);
    if (!Files.isRegularFile(path)) { // opening it would create it
      throw new NoSuchFileException(path.toString(), null, "is no file");
    }
    return new OpenFile(path, new RandomAccessFile(path.toFile(), "rw"));
  }

  @Override
  public void delete(String name) throws IOException {
    lock.requireInPlace();
    Files.delete(directory.resolve(name));
  }

  @Override
  public void forceDirectory() throws IOException {
    forceDirectory(directory);
    lock.requireInPlace(); // else it was another's that was forced
  }

  private static void forceDirectory(Path directory) throws IOException {
    Uninterrupted.run(
        () -> {
          try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
          }
        });
  }

  @Override
  public String locate(String name) {
    return directory.resolve(name).toString();
  }

  @Override
  public void close() throws IOException {
    lock.release();
  }

  /** Names the file and the place when the operating system does not do what it was asked for. */
  private static final class OpenFile implements StorageFile {
    private final Path path;
    private final RandomAccessFile file;

    OpenFile(Path path, RandomAccessFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      try {
        return file.length();
      } catch (IOException e) {
        throw failed("its length cannot be read", e);
      }
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      try {
        file.seek(position);
        file.readFully(target, offset, length);
      } catch (EOFException e) {
        throw e;
      } catch (IOException e) {
        throw failed(length + " bytes at offset " + position + " cannot be read", e);
      }
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      try {
        file.seek(position);
        file.write(source, offset, length);
      } catch (IOException e) {
        throw failed(length + " bytes at offset " + position + " cannot be written", e);
      }
    }

    @Override
    public void force() throws IOException {
      try {
        file.getFD().sync();
      } catch (IOException e) {
        throw failed("it cannot be forced", e);
      }
    }

    private IOException failed(String what, IOException cause) {
      IOException failed =
          new FileSystemException(path.toString(), null, what + ": " + cause.getMessage());
      failed.initCause(cause);
      return failed;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
