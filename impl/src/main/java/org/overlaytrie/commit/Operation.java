package org.overlaytrie.commit;

import java.util.Arrays;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * One write as its caller asked for it: what it does depends on the value that it finds. The arrays
 * are never changed; {@code expected} and {@code value} are null where the kind has none.
 *
 * @param batch what a {@link OperationKind#BATCH} writes, which has no key; null for other kinds
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record Operation(
    OperationKind kind, byte[] key, byte[] expected, byte[] value, LogRecord batch) {

  /** An operation on one key. */
  public Operation(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    this(kind, key, expected, value, null);
  }

  /** Makes all writes of {@code batch}, or removes its range, as one change. */
  public static Operation batch(LogRecord batch) {
    return new Operation(OperationKind.BATCH, null, null, null, batch);
  }

  /**
   * An operation that changes nothing where {@code key} holds {@code current}, and answers that.
   */
  public static Operation observation(byte[] key, byte[] current) {
    return current == null
        ? new Operation(OperationKind.REMOVE, key, null, null)
        : new Operation(OperationKind.PUT_IF_ABSENT, key, null, current);
  }

  /** What it finds in {@code trie}, and will answer; null if the key is absent or there is none. */
  byte[] find(Trie trie) {
    return key == null ? null : trie.get(key);
  }

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
      case BATCH -> batch; // whether it changes anything shows when it is applied
    };
  }

  /** Tells {@code events} that this operation enters the store. */
  void tell(ProtocolEvents events) {
    if (batch == null) {
      events.invoke(kind, key, expected, value);
    } else {
      events.invokeBatch(batch);
    }
  }

  /** Whether {@code current} is present and equal to {@code expected}. */
  public static boolean holds(byte[] current, byte[] expected) {
    return current != null && Arrays.equals(current, expected);
  }
}
