package org.overlaytrie.image;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;

/** Fails one operation, of a number that is set, and goes on; counts the files that are open. */
final class FaultyStorage implements Storage {

  /** What a test made fail. */
  static final class Fault extends IOException {
    private static final long serialVersionUID = 1L;

    Fault(String operation) {
      super(operation + " fails");
    }
  }

  private final Storage storage;
  private final Set<StorageFile> open = ConcurrentHashMap.newKeySet();
  private long failing = -1;
  private long operations;

  FaultyStorage(Storage storage) {
    this.storage = storage;
  }

  /** From now on fails the operation number {@code operation}, the next one being 0. */
  void failAt(long operation) {
    failing = operation;
    operations = 0;
  }

  int openFiles() {
    return open.size();
  }

  private synchronized void begin(String operation) throws IOException {
    if (operations++ == failing) {
      throw new Fault(operation);
    }
  }

  @Override
  public List<String> list() throws IOException {
    return storage.list();
  }

  @Override
  public StorageFile create(String name, long size) throws IOException {
    begin("create");
    return new File(storage.create(name, size));
  }

  @Override
  public StorageFile open(String name) throws IOException {
    begin("open");
    return new File(storage.open(name));
  }

  @Override
  public void delete(String name) throws IOException {
    storage.delete(name);
  }

  @Override
  public void forceDirectory() throws IOException {
    begin("forceDirectory");
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
    private final StorageFile file;

    File(StorageFile file) {
      this.file = file;
      open.add(this);
    }

    @Override
    public long size() throws IOException {
      begin("size");
      return file.size();
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      begin("read");
      file.read(position, target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      file.write(position, source, offset, length / 2);
      begin("write");
      file.write(position, source, offset, length);
    }

    @Override
    public void force() throws IOException {
      begin("force");
      file.force();
    }

    @Override
    public void close() throws IOException {
      open.remove(this);
      file.close();
    }
  }
}
