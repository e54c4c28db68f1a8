package org.overlaytrie.wal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;

/**
 * Files in memory, for tests that open a store a hundred thousand times. It can stop at any of its
 * changes, after half a write, as a killed process does; what is in the map then is what the next
 * process finds.
 */
public final class MemoryStorage implements Storage {

  /** The process is gone. */
  public static final class Killed extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** The content of each file, by name. */
  public final Map<String, byte[]> files;

  private long changesLeft = Long.MAX_VALUE;
  private long changes;

  /** No files. */
  public MemoryStorage() {
    this(Map.of());
  }

  /** Holds copies of {@code files}. */
  public MemoryStorage(Map<String, byte[]> files) {
    this.files = new ConcurrentSkipListMap<>();
    files.forEach((name, bytes) -> this.files.put(name, bytes.clone()));
  }

  /** Stops at change number {@code change}, the first being 0. */
  public MemoryStorage killedAt(long change) {
    changesLeft = change;
    return this;
  }

  /** Every change fails from now on. */
  public void failChanges() {
    failChanges(0);
  }

  /** Every change fails after so many more, but reading goes on until the first does. */
  void failChanges(long after) {
    changesLeft = after;
  }

  /** How many creations, writes, deletions and forces there were. */
  public long changes() {
    return changes;
  }

  /** Whether another change may be made; throws from the fatal one on. */
  private void change() throws Killed {
    requireAlive();
    if (changesLeft == 0) {
      changesLeft = -1;
      throw new Killed();
    }
    changesLeft--;
    changes++;
  }

  private void requireAlive() throws Killed {
    if (changesLeft < 0) {
      throw new Killed();
    }
  }

  @Override
  public List<String> list() throws IOException {
    requireAlive();
    return List.copyOf(files.keySet());
  }

  @Override
  public StorageFile create(String name, long size) throws IOException {
    files.put(name, new byte[(int) size / 2]);
    change();
    files.put(name, new byte[(int) size]);
    return new File(name);
  }

  @Override
  public StorageFile open(String name) throws IOException {
    requireAlive();
    if (!files.containsKey(name)) {
      throw new NoSuchFileException(name);
    }
    return new File(name);
  }

  @Override
  public void delete(String name) throws IOException {
    change();
    if (files.remove(name) == null) {
      throw new NoSuchFileException(name);
    }
  }

  @Override
  public void forceDirectory() throws IOException {
    change();
  }

  @Override
  public String locate(String name) {
    return "memory:/" + name;
  }

  @Override
  public void close() {}

  private final class File implements StorageFile {
    private final String name;

    File(String name) {
      this.name = name;
    }

    @Override
    public long size() throws IOException {
      requireAlive();
      return files.get(name).length;
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      requireAlive();
      if (position + length > size()) {
        throw new EOFException(name);
      }
      System.arraycopy(files.get(name), (int) position, target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      requireAlive();
      put(position, source, offset, length / 2);
      change();
      put(position, source, offset, length);
    }

    private void put(long position, byte[] source, int offset, int length) {
      byte[] bytes = files.get(name);
      if (bytes.length < position + length) {
        bytes = Arrays.copyOf(bytes, (int) position + length);
        files.put(name, bytes);
      }
      System.arraycopy(source, offset, bytes, (int) position, length);
    }

    @Override
    public void force() throws IOException {
      change();
    }

    @Override
    public void close() {}
  }
}
