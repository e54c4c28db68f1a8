package org.overlaytrie.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;

/**
 * Reads all of the log that is there, and finds every fault: {@link LogReader} says what one is,
 * and goes on behind it. The records up to the first that is missing are handed over. Used once.
 */
final class LogCheck {
  private final Storage storage;
  private final LogReader reader;
  private final long checkpointLsn;
  private final List<RuntimeException> faults = new ArrayList<>();

  /** Whether no record has been left out so far. */
  private boolean contiguous = true;

  private long reachedLsn;

  LogCheck(StoreDirectory store, long checkpointLsn, Consumer<LogRecord> replay) {
    this.storage = store.storage();
    this.checkpointLsn = checkpointLsn;
    this.reachedLsn = checkpointLsn;
    this.reader =
        new LogReader(
            store,
            record -> {
              if (contiguous) {
                replay.accept(record);
                reachedLsn++;
              }
            });
  }

  /** What was found; {@code lastLsn} is the last LSN of which there is any trace. */
  StoreInspection.LogReport run() throws IOException {
    long lastLsn = checkpointLsn;
    boolean complete = attempt(false);
    while (!complete) {
      lastLsn = Math.max(lastLsn, reader.lastLsn());
      if (!reader.skipDamage()) {
        break;
      }
      contiguous &= goesOn(reader.lastLsn());
      complete = attempt(true);
    }
    return new StoreInspection.LogReport(
        List.copyOf(faults), reachedLsn, Math.max(lastLsn, reader.lastLsn()));
  }

  /** Whether what is read next follows what was handed over. */
  private boolean goesOn(long before) {
    return before == reachedLsn || (before < reachedLsn && reachedLsn == checkpointLsn);
  }

  private boolean attempt(boolean resumed) {
    try {
      if (resumed) {
        reader.resume();
      } else {
        reader.read();
      }
      return true;
    } catch (CorruptStoreException | IncompatibleStoreException e) {
      faults.add(e);
    } catch (IOException e) {
      String name = StoreFiles.segment(reader.place().segment());
      CorruptStoreException fault =
          new CorruptStoreException(
              storage.locate(name),
              reader.place().offset(),
              "expected a segment of the log that can be read, but it is missing or unreadable: "
                  + e.getMessage());
      fault.initCause(e);
      faults.add(fault);
    }
    return false;
  }
}
