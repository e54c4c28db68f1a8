package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;

/**
 * The segments of the log that are still there, from the oldest to the one being written.
 *
 * <pre>
 *   reclaim bound: 25        1..10     11..20     21..30     31..
 *                            deleted   deleted    kept       being written
 * </pre>
 *
 * <p>Thread-safe: the log's writer adds while the thread that makes checkpoints reclaims.
 */
final class RetainedSegments {
  private record Retained(int number, long firstLsn, long bytes) {}

  private final Storage storage;
  private final ProtocolEvents events;

  /** Oldest first; guarded by itself. */
  private final Deque<Retained> segments = new ArrayDeque<>();

  /** Written by who holds {@link #segments}, as is the next. */
  private volatile long bytes;

  private volatile boolean several;

  /** Whether the entry of the oldest one is gone, though maybe not durably; for the reclaimer. */
  private boolean deleted;

  RetainedSegments(Storage storage, ProtocolEvents events) {
    this.storage = storage;
    this.events = events;
  }

  /** The log goes on, or was found to go on, in this segment. */
  void add(SegmentHeader header) {
    synchronized (segments) {
      segments.add(new Retained(header.number(), header.firstLsn(), header.segmentBytes()));
      bytes += header.segmentBytes();
      several = segments.size() > 1;
    }
  }

  /** Whether there are others than the one being written. */
  boolean several() {
    return several;
  }

  /** How many bytes of disk they take. */
  long bytes() {
    return bytes;
  }

  /**
   * Deletes the segments of which no record above {@code bound} is in, oldest first, each durably
   * before the next: so what a crash leaves has no gap. For one thread at a time. After a failure
   * it may be called again.
   */
  @Upholds("WatermarkReclamation!RetainedIsContiguousInv")
  void reclaim(long bound) throws IOException {
    for (int oldest = oldestBelow(bound); oldest > 0; oldest = oldestBelow(bound)) {
      if (!deleted) {
        delete(StoreFiles.segment(oldest));
        deleted = true;
        events.deleteSegment(oldest); // DeleteSegment
      }
      storage.forceDirectory();
      events.forceDirectory(); // ForceDirectory
      deleted = false;
      synchronized (segments) {
        bytes -= segments.remove().bytes();
        several = segments.size() > 1;
      }
    }
  }

  private void delete(String name) throws IOException {
    try {
      storage.delete(name);
    } catch (NoSuchFileException gone) {
      // Somebody has deleted it already, or an earlier attempt has, which then reported a failure.
    }
  }

  /** The number of the oldest if it holds no record above {@code bound}; 0 otherwise. */
  @Upholds("WatermarkReclamation!NoNeededRecordReclaimedInv")
  private int oldestBelow(long bound) {
    synchronized (segments) {
      Iterator<Retained> oldest = segments.iterator();
      int number = oldest.next().number();
      return oldest.hasNext() && oldest.next().firstLsn() <= bound + 1 ? number : 0;
    }
  }
}
