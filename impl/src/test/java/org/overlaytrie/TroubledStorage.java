package org.overlaytrie;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;

/** Files whose writes and forces can be watched, held up, and made to fail, by the file's name. */
final class TroubledStorage implements Storage {

  /** Called before each creation, write and force. */
  interface Trouble {
    void before(String name) throws IOException;
  }

  private final Storage storage;
  private final AtomicLong writtenBytes = new AtomicLong();
  private volatile Trouble trouble = name -> {};

  TroubledStorage(Storage storage) {
    this.storage = storage;
  }

  void trouble(Trouble next) {
    trouble = next;
  }

  /** A disk that is full for files whose names begin so. */
  void full(String prefix) {
    trouble(
        name -> {
          if (name.startsWith(prefix)) {
            throw new IOException(name + ": no space left on device");
          }
        });
  }

  /** How many bytes were written to all files. */
  long writtenBytes() {
    return writtenBytes.get();
  }

  @Override
  public List<String> list() throws IOException {
    return storage.list();
  }

  @Override
  public StorageFile create(String name, long size) throws IOException {
    trouble.before(name);
    return new File(name, storage.create(name, size));
  }

  @Override
  public StorageFile open(String name) throws IOException {
    return new File(name, storage.open(name));
  }

  @Override
  public void delete(String name) throws IOException {
    storage.delete(name);
  }

  @Override
  public void forceDirectory() throws IOException {
    storage.forceDirectory();
  }

  @Override
  public String locate(String name) {
    return storage.locate(name);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private final class File implements StorageFile {
    private final String name;
    private final StorageFile file;

    File(String name, StorageFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      file.read(position, target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      trouble.before(name);
      writtenBytes.addAndGet(length);
      file.write(position, source, offset, length);
    }

    @Override
    public void force() throws IOException {
      trouble.before(name);
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
