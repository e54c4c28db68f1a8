package org.overlaytrie;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.wal.LogRecord;

/**
 * Writes that are to be made together, in their order; of several to one key the last alone. Not
 * thread-safe.
 */
final class WriteSet {
  /** By the key of a write to one key; by itself for a removal of a range. */
  private final Map<Object, LogRecord.Write> writes = new LinkedHashMap<>();

  private long encodedBytes;

  /** Whether {@link #add} would take the write, to a key that has none yet. */
  boolean hasRoomFor(LogRecord.Write write) {
    return encodedBytes + write.encodedBytes() <= LogRecord.MAX_BATCH_BYTES;
  }

  /**
   * Adds a write to one key.
   *
   * @throws IllegalArgumentException if there is no room for it; then nothing is changed
   */
  void add(byte[] key, LogRecord.Write write) {
    add((Object) ByteBuffer.wrap(key), write);
  }

  /** Adds a removal of a range; errors as for a key. */
  void add(LogRecord.RemoveRange removal) {
    add((Object) removal, removal);
  }

  private void add(Object place, LogRecord.Write write) {
    LogRecord.Write earlier = writes.get(place);
    long bytes =
        encodedBytes + write.encodedBytes() - (earlier == null ? 0 : earlier.encodedBytes());
    if (bytes > LogRecord.MAX_BATCH_BYTES) {
      throw new IllegalArgumentException(
          "the writes would have "
              + bytes
              + " encoded bytes together; at most "
              + LogRecord.MAX_BATCH_BYTES
              + " are allowed: make them in several batches");
    }
    writes.remove(place); // what comes later takes effect later
    writes.put(place, write);
    encodedBytes = bytes;
  }

  /** The write to {@code key}; null if there is none. Ranges do not count. */
  LogRecord.Write get(byte[] key) {
    return writes.get(ByteBuffer.wrap(key));
  }

  /** All of them as one operation; that is as good as none if there are none. */
  Operation operation() {
    if (writes.size() == 1) {
      return operation(writes.values().iterator().next());
    }
    return Operation.batch(new LogRecord.Batch(List.copyOf(writes.values())));
  }

  /** One write needs no batch around it. */
  private static Operation operation(LogRecord.Write write) {
    if (write instanceof LogRecord.Put put) {
      return new Operation(OperationKind.PUT, put.key(), null, put.value());
    } else if (write instanceof LogRecord.Remove removal) {
      return new Operation(OperationKind.REMOVE, removal.key(), null, null);
    }
    return Operation.batch(write);
  }
}
