package org.overlaytrie.commit;

import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * An immutable trie plus the LSN that produced it, linked to the version before it until both are
 * durable.
 *
 * <pre>
 *   visible            tip
 *      |                |
 *     v7  &lt;-- v8 &lt;-- v9          previous, as far back as the flush must go
 * </pre>
 *
 * <p>{@code trie}, {@code lsn}, {@code recordBytes} and {@code closed} are final: whoever gets the
 * reference sees them whole. {@code record} and {@code previous} are for the leader only, which
 * cuts them off once the version is visible: a record may hold a large batch. {@code failure} is
 * set at most once, on the version that is visible at that moment and stays so.
 */
public final class Version {
  private final Trie trie;
  private final long lsn;
  private final boolean closed;
  private final long recordBytes;
  private LogRecord record;
  private Version previous;
  private volatile Throwable failure;

  private Version(
      Trie trie, long lsn, LogRecord record, long recordBytes, Version previous, boolean closed) {
    this.recordBytes = recordBytes;
    this.trie = trie;
    this.lsn = lsn;
    this.record = record;
    this.previous = previous;
    this.closed = closed;
  }

  /** The version that recovery found in the log. */
  static Version recovered(Trie trie, long lsn) {
    return new Version(trie, lsn, null, 0, null, false);
  }

  /** The version after this one, changed by {@code record}; this one if that changes nothing. */
  Version next(LogRecord record) {
    Trie changed = record == null ? trie : record.applyTo(trie);
    return changed == trie
        ? this
        : new Version(changed, lsn + 1, record, recordBytes + record.encodedBytes(), this, false);
  }

  /**
   * This version again, failed or not, closed for the operations that find it as tip or visible
   * version. A flush under way may cut this one meanwhile; then nobody will need what the copy
   * lacks either.
   */
  Version close() {
    Version copy = new Version(trie, lsn, record, recordBytes, previous, true);
    copy.failure = failure;
    return copy;
  }

  /**
   * Whoever waits for this LSN or a smaller one goes on once this version is visible: {@link
   * ProtocolEvents#NEVER}, the greatest of all, if it is closed, because then none comes after it.
   */
  long settledLsn() {
    return closed ? ProtocolEvents.NEVER : lsn;
  }

  /**
   * Whether there is nothing left to wait for: {@code awaited} is visible, or the store has failed.
   */
  boolean settles(long awaited) {
    return settledLsn() >= awaited || failure != null;
  }

  /** The content. */
  public Trie trie() {
    return trie;
  }

  /** The LSN of the change that produced this version; 0 for the empty store. */
  public long lsn() {
    return lsn;
  }

  /** What made the store fail while this version was visible; null while it works. */
  public Throwable failure() {
    return failure;
  }

  /** Whether the store was closed at this version. */
  public boolean closed() {
    return closed;
  }

  /** How many bytes the records of all changes since the store was opened take in the log. */
  public long recordBytes() {
    return recordBytes;
  }

  /** The change; only for the leader, and only above the visible version. */
  LogRecord record() {
    return record;
  }

  /** The version before; only for the leader, and only above the visible version. */
  Version previous() {
    return previous;
  }

  /**
   * Lets go of all older versions and of the change; only for the leader, once this version is
   * visible.
   */
  void cut() {
    previous = null;
    record = null;
  }

  /** Without allocation: running out of memory must not keep a store from failing cleanly. */
  void fail(Throwable cause) {
    failure = cause;
  }
}
