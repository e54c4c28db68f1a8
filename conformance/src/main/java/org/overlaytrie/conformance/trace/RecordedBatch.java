package org.overlaytrie.conformance.trace;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import org.overlaytrie.wal.LogRecord;

/** A batch as it was recorded, which is as the log has it. */
final class RecordedBatch {
  private final ByteBuffer encoded;
  private final List<LogRecord.Write> writes = new ArrayList<>();

  /** Reads a record as {@link LogRecord#encode} writes it. */
  RecordedBatch(byte[] encoded) {
    this.encoded = ByteBuffer.wrap(encoded);
    int count = 1;
    if (encoded[0] == LogRecord.BATCH) {
      count = this.encoded.position(1 + Integer.BYTES).getInt();
    }
    for (int i = 0; i < count; i++) {
      writes.add(next());
    }
  }

  private LogRecord.Write next() {
    byte kind = encoded.get();
    return switch (kind) {
      case LogRecord.PUT -> new LogRecord.Put(array(), array());
      case LogRecord.REMOVE -> new LogRecord.Remove(array());
      case LogRecord.REMOVE_RANGE -> new LogRecord.RemoveRange(array(), array());
      case LogRecord.REMOVE_FROM -> new LogRecord.RemoveRange(array(), null);
      default -> throw new IllegalArgumentException("no kind of write: " + kind);
    };
  }

  private byte[] array() {
    byte[] array = new byte[encoded.getInt()];
    encoded.get(array);
    return array;
  }

  /** The keys that it names, not those that bound a range. */
  List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    for (LogRecord.Write write : writes) {
      if (write instanceof LogRecord.Put put) {
        keys.add(put.key());
      } else if (write instanceof LogRecord.Remove removal) {
        keys.add(removal.key());
      }
    }
    return keys;
  }

  /** The text, where {@code mentioned} has all keys of the trace, in their order, as text. */
  String text(NavigableMap<byte[], String> mentioned) {
    return BatchText.of(writes.stream().map(write -> write(write, mentioned)).toList());
  }

  private static BatchText.Write write(
      LogRecord.Write write, NavigableMap<byte[], String> mentioned) {
    if (write instanceof LogRecord.Put put) {
      return new BatchText.Write(List.of(Bytes.show(put.key())), Bytes.show(put.value()));
    } else if (write instanceof LogRecord.Remove removal) {
      return new BatchText.Write(List.of(Bytes.show(removal.key())), null);
    }
    LogRecord.RemoveRange range = (LogRecord.RemoveRange) write;
    List<String> keys = new ArrayList<>(List.of(BatchText.OTHERS));
    keys.addAll(inside(range, mentioned));
    return new BatchText.Write(keys, null);
  }

  private static Collection<String> inside(
      LogRecord.RemoveRange range, NavigableMap<byte[], String> mentioned) {
    if (range.to() == null) {
      return mentioned.tailMap(range.from(), true).values();
    }
    return Arrays.compareUnsigned(range.from(), range.to()) >= 0
        ? List.of()
        : mentioned.subMap(range.from(), true, range.to(), false).values();
  }
}
