package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/** The segment being written. Not thread-safe. */
final class LogSegment {

  /**
   * Kept free behind every frame with records and every opening frame, so that a closing frame and
   * a seal always fit.
   */
  private static final int RESERVED_BYTES = 2 * Frame.HEADER_BYTES;

  private final StorageFile file;
  private final int number;
  private final long size;
  private long position;

  private LogSegment(StorageFile file, SegmentHeader header, long position) {
    this.file = file;
    this.number = header.number();
    this.size = header.segmentBytes();
    this.position = position;
  }

  /** The length of a segment that holds at least one frame of {@code frameBytes}. */
  static long sizeFor(long frameBytes, int usualBytes) {
    return Math.max(usualBytes, Frame.filledUp(SegmentHeader.BYTES + frameBytes + RESERVED_BYTES));
  }

  /**
   * Creates a segment without frames. When this returns it is durable, its directory entry
   * included; until then nothing refers to it.
   */
  static LogSegment create(Storage storage, SegmentHeader header) throws IOException {
    StorageFile file = storage.create(StoreFiles.segment(header.number()), header.segmentBytes());
    try {
      file.write(0, header.encode(), 0, SegmentHeader.BYTES);
      file.force();
      storage.forceDirectory();
      return new LogSegment(file, header, SegmentHeader.BYTES);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /** Opens the segment in which the log ends, to go on there. */
  static LogSegment resume(Storage storage, LogEnd end) throws IOException {
    StorageFile file = storage.open(StoreFiles.segment(end.segment().number()));
    return new LogSegment(file, end.segment(), end.offset());
  }

  int number() {
    return number;
  }

  /** Whether a frame of this length fits, and leaves the space that must stay free. */
  boolean fits(long frameBytes) {
    return position + frameBytes + RESERVED_BYTES <= size;
  }

  /** Encodes the header of the next frame at the start of {@code buffer}; returns its checksum. */
  int encode(Frame frame, ByteBuffer buffer, Checksums checksums) {
    return frame.encode(buffer, 0, checksums, number, position);
  }

  /** Writes the frame that {@code buffer} begins with. Not forced. */
  void write(byte[] buffer, int frameBytes) throws IOException {
    file.write(position, buffer, 0, frameBytes);
    position += frameBytes;
  }

  void force() throws IOException {
    file.force();
  }

  void close() throws IOException {
    file.close();
  }
}
