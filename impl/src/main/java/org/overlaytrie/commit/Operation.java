package org.overlaytrie.commit;

import java.util.Arrays;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.wal.LogRecord;

/**
 * One write as its caller asked for it: what it does depends on the value that it finds. The arrays
 * are never changed; {@code expected} and {@code value} are null where the kind has none.
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record Operation(OperationKind kind, byte[] key, byte[] expected, byte[] value) {

  /**
   * The change to make where the key holds {@code current} (null if absent), or null for no change.
   */
  LogRecord decide(byte[] current) {
    return switch (kind) {
      case PUT -> new LogRecord.Put(key, value);
      case PUT_IF_ABSENT -> current == null ? new LogRecord.Put(key, value) : null;
      case REPLACE -> current != null ? new LogRecord.Put(key, value) : null;
      case REPLACE_IF -> holds(current, expected) ? new LogRecord.Put(key, value) : null;
      case REMOVE -> current != null ? new LogRecord.Remove(key) : null;
      case REMOVE_IF -> holds(current, expected) ? new LogRecord.Remove(key) : null;
    };
  }

  /** Whether {@code current} is present and equal to {@code expected}. */
  public static boolean holds(byte[] current, byte[] expected) {
    return current != null && Arrays.equals(current, expected);
  }
}
