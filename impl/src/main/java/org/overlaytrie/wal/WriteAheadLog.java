package org.overlaytrie.wal;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;

/** Placeholder of the signature; see docs/FORMAT.md. */
public final class WriteAheadLog {
  private WriteAheadLog() {}

  /**
   * Opens the log in {@code storage}, creating an empty store if the directory holds none, and
   * hands every valid record to {@code replay} in LSN order. When it returns, all that was replayed
   * is durable and a new incarnation has begun.
   */
  public static WriteAheadLog open(
      Storage storage,
      StoreIdentity identity,
      int segmentBytes,
      ProtocolEvents events,
      Consumer<LogRecord> replay)
      throws IOException {
    return null;
  }

  /** The LSN of the last record in the log, 0 if there is none. */
  public long lastLsn() {
    return 0;
  }

  /**
   * Writes the records, the first of which has {@code firstLsn == lastLsn() + 1}, as one or more
   * frames. Not durable yet.
   */
  public void append(long firstLsn, List<LogRecord> records) throws IOException {}

  /** Makes everything appended durable. Never to be retried. */
  public void force() throws IOException {}

  /** Writes and forces a closing frame, then closes the files. */
  public void close() throws IOException {}

  /** Closes the files without writing anything: what a failed store does. */
  public void abandon() throws IOException {}
}
