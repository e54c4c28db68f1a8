package org.overlaytrie.image;

import java.io.IOException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Addresses;
import org.overlaytrie.trie.NodeSink;

/**
 * Appends records to segments, through a buffer. A segment is left for the next one when a record
 * might not fit any more, and forced then; a record that is larger than a segment gets one to
 * itself. After {@link #abandon} nothing is appended where anything was written before. Not
 * thread-safe.
 */
final class SegmentWriter implements NodeSink {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final byte[] NO_BUFFER = {};

  private final Storage storage;
  private final RecordFraming framing;
  private final int segmentBytes;

  /** {@link #NO_BUFFER} while nothing is written: most stores are idle most of the time. */
  private byte[] buffer = NO_BUFFER;

  private int buffered;

  /** The segment being written; null if the next record begins a new one. */
  private StorageFile file;

  private int number;

  /** Where the next record goes; what is buffered ends there. */
  private long position;

  private int nextSegment;

  /** The first segment that was begun since the last write was kept: it and those above can go. */
  private int firstUnkept;

  private boolean directoryChanged;
  private long bytesWritten;

  SegmentWriter(Storage storage, RecordFraming framing, int segmentBytes, int nextSegment) {
    this.storage = storage;
    this.framing = framing;
    this.segmentBytes = segmentBytes;
    this.nextSegment = nextSegment;
    this.firstUnkept = nextSegment;
  }

  @Override
  public long place(int maxBytes) throws IOException {
    boolean begun = file != null && position > ImageHeader.BYTES;
    if (buffer == NO_BUFFER) {
      buffer = new byte[BUFFER_BYTES];
    }
    if (file == null || (begun && position + RecordFraming.MAX_BYTES + maxBytes > segmentBytes)) {
      leave();
      begin();
    }
    return Addresses.of(number, position);
  }

  @Override
  public void append(byte[] payload, int length) throws IOException {
    if (length > RecordFraming.MAX_PAYLOAD_BYTES) {
      throw new IOException("a record has " + length + " bytes, which is too many");
    }
    if (buffered + RecordFraming.MAX_BYTES + length > BUFFER_BYTES) {
      flush();
    }
    long address = Addresses.of(number, position);
    int before = framing.encode(address, payload, length, buffer, buffered);
    advance(before);
    if (buffered + length > BUFFER_BYTES) {
      flush();
      file.write(position, payload, 0, length);
      position += length;
      bytesWritten += length;
    } else {
      System.arraycopy(payload, 0, buffer, buffered, length);
      advance(length);
    }
  }

  private void begin() throws IOException {
    if (nextSegment == Integer.MAX_VALUE) {
      throw new IOException("the image has used up the numbers of its segments");
    }
    number = nextSegment++; // also if it cannot be created, as nobody knows what is there then
    position = 0;
    directoryChanged = true;
    file = storage.create(StoreFiles.imageSegment(number), 0);
    ImageHeader header = new ImageHeader(StoreFiles.FORMAT_VERSION, number, framing.storeId());
    System.arraycopy(header.encode(), 0, buffer, 0, ImageHeader.BYTES);
    advance(ImageHeader.BYTES);
  }

  private void advance(int bytes) {
    buffered += bytes;
    position += bytes;
    bytesWritten += bytes;
  }

  private void flush() throws IOException {
    file.write(position - buffered, buffer, 0, buffered);
    buffered = 0;
  }

  /** Leaves the segment, durable but for its directory entry. */
  private void leave() throws IOException {
    if (file != null) {
      flush();
      file.force();
      closeFile();
    }
  }

  /** Returns once all records and the entries of their segments are durable. */
  void force() throws IOException {
    if (file != null) {
      flush();
      file.force();
    }
    if (directoryChanged) {
      storage.forceDirectory();
      directoryChanged = false;
    }
    buffer = NO_BUFFER;
  }

  /** What was written is in use from now on. */
  void keep() {
    firstUnkept = nextSegment;
  }

  /**
   * Leaves the segment as it is, and gives back the space of those that nothing in use is in: else
   * a checkpoint that fails for want of space would take what is left of it. Idempotent.
   */
  void abandon() throws IOException {
    buffer = NO_BUFFER;
    try {
      closeFile();
    } finally {
      for (; firstUnkept < nextSegment; firstUnkept++) {
        deleteIfThere(StoreFiles.imageSegment(firstUnkept));
      }
    }
  }

  private void deleteIfThere(String name) {
    try {
      storage.delete(name);
    } catch (IOException e) {
      // It could not be created, or the disk does not even let go of it: nobody will miss it.
    }
  }

  private void closeFile() throws IOException {
    buffered = 0;
    if (file != null) {
      StorageFile left = file;
      file = null;
      left.close();
    }
  }

  /** The number of the next segment; it and those above were never used. */
  int nextSegment() {
    return nextSegment;
  }

  long bytesWritten() {
    return bytesWritten;
  }
}
