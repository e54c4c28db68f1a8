package org.overlaytrie.wal;

import java.io.IOException;
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
   * Hands over the records of {@code frame}, whose payload begins at {@code start}.
   *
   * @throws CorruptStoreException if the payload is not exactly that many records
   */
  static void read(SegmentInput segment, long start, Frame frame, Consumer<LogRecord> replay)
      throws IOException {
    RecordReader reader = new RecordReader(segment, start, start + frame.payloadBytes());
    for (int i = 0; i < frame.count(); i++) {
      replay.accept(reader.next());
    }
    if (reader.position != reader.end) {
      throw reader.unexpected("the end of the frame's records");
    }
  }

  private LogRecord next() throws IOException {
    requireLeft(1);
    byte kind = segment.getByte(position);
    if (kind != LogRecord.PUT && kind != LogRecord.REMOVE) {
      throw unexpected("a kind of record, found " + kind);
    }
    position++;
    byte[] key = array();
    return kind == LogRecord.PUT ? new LogRecord.Put(key, array()) : new LogRecord.Remove(key);
  }

  private byte[] array() throws IOException {
    requireLeft(Integer.BYTES);
    int length = segment.getInt(position);
    if (length < 0) {
      throw unexpected("a length, found " + length);
    }
    position += Integer.BYTES;
    requireLeft(length);
    byte[] bytes = segment.copy(position, length);
    position += length;
    return bytes;
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
