package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/**
 * Reads one segment through a window of bounded size, so that memory does not grow with the log.
 */
final class SegmentInput implements AutoCloseable {

  private static final int WINDOW_BYTES = 1 << 16;

  final int number;
  final String path;
  final long size;
  private final StorageFile file;
  private final ByteBuffer window;
  private long windowStart;
  private int windowBytes;

  private SegmentInput(int number, String path, StorageFile file) throws IOException {
    this.number = number;
    this.path = path;
    this.file = file;
    this.size = file.size();
    this.window = ByteBuffer.allocate((int) Math.min(size, WINDOW_BYTES));
  }

  static SegmentInput open(Storage storage, int number) throws IOException {
    String name = StoreFiles.segment(number);
    StorageFile file = storage.open(name);
    try {
      return new SegmentInput(number, storage.locate(name), file);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /** What {@link #indexOf} speaks about; valid until its next call. */
  ByteBuffer window() {
    return window;
  }

  /**
   * Where in the window the {@code length} bytes at {@code position} are. They must lie within the
   * file, and {@code length} must not exceed the window.
   */
  int indexOf(long position, int length) throws IOException {
    if (position < windowStart || position + length > windowStart + windowBytes) {
      windowBytes = 0; // of no use if the read fails
      int toRead = (int) Math.min(window.capacity(), size - position);
      file.read(position, window.array(), 0, toRead);
      windowStart = position;
      windowBytes = toRead;
    }
    return (int) (position - windowStart);
  }

  /** The byte at {@code position}, which must lie within the file. */
  byte getByte(long position) throws IOException {
    return window.get(indexOf(position, 1));
  }

  /** The number in the four bytes at {@code position}, which must lie within the file. */
  int getInt(long position) throws IOException {
    return window.getInt(indexOf(position, Integer.BYTES));
  }

  /** The {@code length} bytes at {@code position}, which must lie within the file. */
  byte[] copy(long position, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (length <= window.capacity()) {
      window.get(indexOf(position, length), bytes);
    } else {
      file.read(position, bytes, 0, length);
    }
    return bytes;
  }

  /** The checksum of the {@code length} bytes at {@code position}. */
  int checksum(long position, long length) throws IOException {
    CRC32C crc = new CRC32C();
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(window.capacity(), length - done);
      crc.update(window.array(), indexOf(position + done, part), part);
      done += part;
    }
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
