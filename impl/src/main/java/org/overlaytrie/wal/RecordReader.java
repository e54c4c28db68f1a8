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
    byte kind = bytes(1)[0];
    return switch (kind) {
      case LogRecord.PUT -> new LogRecord.Put(array(), array());
      case LogRecord.REMOVE -> new LogRecord.Remove(array());
      default -> throw unexpected("a record kind before this place, found " + kind);
    };
  }

  private byte[] array() throws IOException {
    if (end - position < Integer.BYTES) {
      throw unexpected("a length");
    }
    int index = segment.indexOf(position, Integer.BYTES);
    int length = segment.window().getInt(index);
    position += Integer.BYTES;
    return bytes(length);
  }

  private byte[] bytes(int length) throws IOException {
    if (length < 0 || length > end - position) {
      throw unexpected("a length of at most " + (end - position) + ", found " + length);
    }
    byte[] bytes = segment.copy(position, length);
    position += length;
    return bytes;
  }

  private CorruptStoreException unexpected(String expectation) {
    return new CorruptStoreException(segment.path, position, "expected " + expectation);
  }
}
