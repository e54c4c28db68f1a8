package org.overlaytrie.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.overlaytrie.CorruptStoreException;

/** Decodes the records of one frame, without keeping more than one of them in memory. */
final class RecordReader {

  private final SegmentInput segment;
  private final long end;
  private long position;

  private RecordReader(SegmentInput segment, long start, long end) {
    this.segment = segment;
    this.position = start;
    this.end = end;
  }

  /**
   * Hands over the records of {@code frame}, whose payload begins at {@code start}, but not the
   * first {@code covered} ones.
   *
   * @throws CorruptStoreException if the payload is not exactly that many records
   */
  static void read(
      SegmentInput segment, long start, Frame frame, long covered, Consumer<LogRecord> replay)
      throws IOException {
    RecordReader reader = new RecordReader(segment, start, start + frame.payloadBytes());
    for (int i = 0; i < frame.count(); i++) {
      LogRecord record = reader.next();
      if (i >= covered) {
        replay.accept(record);
      }
    }
    if (reader.position != reader.end) {
      throw reader.unexpected("the end of the frame's records");
    }
  }

  private LogRecord next() throws IOException {
    byte kind = kind();
    if (kind != LogRecord.BATCH) {
      return write(kind);
    }
    int length = length();
    int count = length();
    requireLeft(length);
    long endOfBatch = position + length;
    List<LogRecord.Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(write(kind()));
    }
    if (position != endOfBatch) {
      throw unexpected("the end of a batch at offset " + endOfBatch);
    }
    return new LogRecord.Batch(writes);
  }

  private byte kind() throws IOException {
    requireLeft(1);
    return segment.getByte(position++);
  }

  private LogRecord.Write write(byte kind) throws IOException {
    return switch (kind) {
      case LogRecord.PUT -> new LogRecord.Put(array(), array());
      case LogRecord.REMOVE -> new LogRecord.Remove(array());
      case LogRecord.REMOVE_RANGE -> new LogRecord.RemoveRange(array(), array());
      case LogRecord.REMOVE_FROM -> new LogRecord.RemoveRange(array(), null);
      default -> {
        position--;
        throw unexpected("a kind of record, found " + kind);
      }
    };
  }

  private byte[] array() throws IOException {
    int length = length();
    requireLeft(length);
    byte[] bytes = segment.copy(position, length);
    position += length;
    return bytes;
  }

  private int length() throws IOException {
    requireLeft(Integer.BYTES);
    int length = segment.getInt(position);
    if (length < 0) {
      throw unexpected("a length, found " + length);
    }
    position += Integer.BYTES;
    return length;
  }

  private void requireLeft(int bytes) {
    if (bytes > end - position) {
      throw unexpected(bytes + " more bytes of records, found " + (end - position));
    }
  }

  private CorruptStoreException unexpected(String expectation) {
    return new CorruptStoreException(segment.path, position, "expected " + expectation);
  }
}
