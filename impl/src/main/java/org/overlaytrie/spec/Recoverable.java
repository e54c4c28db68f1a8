package org.overlaytrie.spec;

import java.util.List;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * What recovery finds if the process ends now: the content of the image, and the records of the log
 * that follow it.
 *
 * @param checkpointLsn what the image holds: all changes up to this LSN
 * @param image its content
 * @param records the changes after it, with dense LSNs
 */
public record Recoverable(long checkpointLsn, Trie image, List<LogRecord> records) {

  /** Of a store without a checkpoint. */
  public static Recoverable of(List<LogRecord> log) {
    return new Recoverable(0, Trie.EMPTY, log);
  }

  /** The LSN of the last change that recovery finds. */
  public long lastLsn() {
    return checkpointLsn + records.size();
  }

  /** The change of an LSN in the log; null if the image alone holds its effect, or nothing does. */
  public LogRecord record(long lsn) {
    return lsn > checkpointLsn && lsn <= lastLsn()
        ? records.get(Math.toIntExact(lsn - checkpointLsn - 1))
        : null;
  }
}
