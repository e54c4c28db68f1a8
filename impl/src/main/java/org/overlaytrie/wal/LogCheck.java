package org.overlaytrie.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;

/**
 * Reads all of the log that is there, and finds every fault: {@link LogReader} says what one is,
 * and goes on behind it. The records up to the first that is missing are handed over. Used once.
 */
final class LogCheck {
  /** One stretch of the log, up to damage or the end. */
  private interface Reading {
    LogEnd read() throws IOException;
  }

  private final Storage storage;
  private final LogReader reader;
  private final UUID storeId;
  private final int lastSegment;
  private final long checkpointLsn;
  private final List<RuntimeException> faults = new ArrayList<>();

  /** Whether no record has been left out so far. */
  private boolean contiguous = true;

  private long reachedLsn;

  LogCheck(StoreDirectory store, long checkpointLsn, Consumer<LogRecord> replay) {
    this.storage = store.storage();
    this.storeId = store.storeId();
    this.lastSegment = store.lastSegment();
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
    Reading next = reader::read;
    while (next != null && !isComplete(next)) {
      lastLsn = Math.max(lastLsn, reader.lastLsn());
      next = behindDamage();
    }
    return new StoreInspection.LogReport(
        List.copyOf(faults), reachedLsn, Math.max(lastLsn, reader.lastLsn()));
  }

  private boolean isComplete(Reading reading) {
    try {
      reading.read();
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

  /**
   * How to go on, to find more damage: at the next frame of the segment that was written after what
   * is missing, or with the next segment that there is. Null if there is neither.
   */
  private Reading behindDamage() throws IOException {
    int damaged = reader.place().segment();
    long offset = reader.place().offset();
    Reading next = null;
    if (isThere(damaged)) {
      next =
          offset < SegmentHeader.BYTES // then it is the header that is of no use
              ? atFrame(damaged, SegmentHeader.BYTES, frame -> true)
              : atFrame(damaged, offset + Frame.ALIGNMENT, reader::provesLoss);
    }
    for (int segment = damaged + 1; next == null && segment <= lastSegment; segment++) {
      next = isThere(segment) ? withSegment(segment) : null;
    }
    return next;
  }

  private boolean isThere(int segment) throws IOException {
    return storage.list().contains(StoreFiles.segment(segment));
  }

  private Reading atFrame(int number, long from, Predicate<Frame> wanted) throws IOException {
    try (SegmentInput segment = SegmentInput.open(storage, number)) {
      long to = reader.assumedHeader(segment).segmentBytes();
      for (long at = from; at < to; at += Frame.ALIGNMENT) {
        Frame frame = reader.frameAt(segment, at, to);
        if (frame != null && wanted.test(frame)) {
          LogEnd.Place place = new LogEnd.Place(number, at);
          leaveOutTo(frame.firstLsn() - 1);
          return () -> reader.resume(place, frame);
        }
      }
    }
    return null;
  }

  /** Believes a header; what stands behind one that cannot be read is looked for later. */
  private Reading withSegment(int number) throws IOException {
    SegmentHeader header;
    try (SegmentInput segment = SegmentInput.open(storage, number)) {
      SegmentHeader found = SegmentHeader.read(segment);
      header = found != null && found.storeId().equals(storeId) ? found : null;
    }
    leaveOutTo(header == null ? reader.lastLsn() : header.firstLsn() - 1);
    return () -> reader.resume(number, header);
  }

  /** What is read next comes behind {@code lsn}: does it follow what was handed over? */
  private void leaveOutTo(long lsn) {
    contiguous &= lsn == reachedLsn || (lsn < reachedLsn && reachedLsn == checkpointLsn);
  }
}
