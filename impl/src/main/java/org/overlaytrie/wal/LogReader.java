package org.overlaytrie.wal;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.Frame.Kind;

/**
 * Reads the log from its first frame to its end, and tells an end that a crash left from damage.
 *
 * <p>The log is the longest chain of valid frames: each names the checksum of the one before and
 * the incarnation under way. Behind its last frame lies nothing, or what a crash left of frames
 * that were not durable yet (a torn tail), or frames of an earlier incarnation that the log has
 * since grown around (a stale tail). None of these ever says that something at or behind the end
 * had been durable. If a frame found there does say so, or if the superblock claims more than was
 * read, a durable frame has been damaged since: then the store is corrupt, and nothing is made up
 * to fill the gap.
 *
 * <p>Reads only, and keeps one window of one segment in memory. Used once.
 */
final class LogReader {

  private final StoreDirectory store;
  private final Storage storage;
  private final Superblock superblock;
  private final Consumer<LogRecord> replay;
  private final Checksums checksums;

  private long offset;
  private int checksum;
  private long incarnation;
  private long nextLsn = 1;
  private boolean closed;
  private LogEnd.Place firstUnproven;

  /** The segment being read; also when damage has ended the reading. */
  private int number;

  /** Where in the next segment frames are read from; 0 for behind the header. */
  private long resumeOffset;

  /** A reader of the log of {@code store}, from its first segment that is still there. */
  LogReader(StoreDirectory store, Consumer<LogRecord> replay) {
    this.store = store;
    this.storage = store.storage();
    this.superblock = store.superblock();
    this.replay = replay;
    this.checksums = new Checksums(superblock.storeId());
    this.firstUnproven = new LogEnd.Place(store.firstSegment(), 0);
  }

  /**
   * Hands over every record of the log above the checkpoint LSN, in LSN order, some of them perhaps
   * before damage is found.
   *
   * @throws CorruptStoreException if the log is damaged; what was handed over must be discarded
   */
  LogEnd read() throws IOException {
    // ReadLog
    return readFrom(store.firstSegment());
  }

  private LogEnd readFrom(int first) throws IOException {
    for (number = first; ; number++) {
      offset = 0;
      requireSegment(number);
      try (SegmentInput segment = SegmentInput.open(storage, number)) {
        SegmentHeader header = resumeOffset == 0 ? readHeader(segment) : assumedHeader(segment);
        store.segments().add(header);
        if (!readFrames(segment, header)) {
          requireNoProofBehind(segment, header);
          return new LogEnd(header, offset, checksum, incarnation, nextLsn - 1, firstUnproven);
        }
      }
    }
  }

  /** What the header of a segment should say that is read in spite of it. */
  SegmentHeader assumedHeader(SegmentInput segment) throws IOException {
    SegmentHeader header = SegmentHeader.read(segment);
    long bytes = header == null ? segment.size : Math.min(segment.size, header.segmentBytes());
    return new SegmentHeader(
        StoreFiles.FORMAT_VERSION, number, store.storeId(), nextLsn, bytes, checksum, incarnation);
  }

  /** The LSN of the last record that was read, or is left out by {@link #resume}. */
  long lastLsn() {
    return nextLsn - 1;
  }

  /** Where reading ended. */
  LogEnd.Place place() {
    return new LogEnd.Place(number, offset);
  }

  /**
   * Reads on where damage has ended the reading, as if the log went on with {@code frame} at {@code
   * place}.
   */
  LogEnd resume(LogEnd.Place place, Frame frame) throws IOException {
    resumeOffset = place.offset();
    goOnFrom(
        frame.firstLsn(),
        frame.previousChecksum(),
        frame.incarnation() - (frame.kind() == Kind.OPEN ? 1 : 0));
    return readFrom(place.segment());
  }

  /** The same with a segment as a whole; {@code header} is null if it cannot be known. */
  LogEnd resume(int segment, SegmentHeader header) throws IOException {
    if (header != null) {
      goOnFrom(header.firstLsn(), header.previousChecksum(), header.incarnation());
    }
    return readFrom(segment);
  }

  private void goOnFrom(long lsn, int previousChecksum, long currentIncarnation) {
    nextLsn = lsn;
    checksum = previousChecksum;
    incarnation = currentIncarnation;
    closed = false;
  }

  private void requireSegment(int number) {
    if (number > store.lastSegment()) {
      throw new CorruptStoreException(
          storage.locate(StoreFiles.segment(number)),
          0,
          "expected this file, in which the log goes on with LSN " + nextLsn + "; it is missing");
    }
  }

  private SegmentHeader readHeader(SegmentInput segment) throws IOException {
    SegmentHeader header = SegmentHeader.read(segment);
    if (header == null) {
      throw new CorruptStoreException(segment.path, 0, "expected the header of a log segment");
    }
    StoreFiles.requireKnownVersion(header.version(), segment.path);
    if (segment.number == store.firstSegment()) {
      beginAt(segment, header);
    }
    if (!header.storeId().equals(superblock.storeId())
        || header.number() != segment.number
        || header.firstLsn() != nextLsn
        || header.previousChecksum() != checksum
        || header.incarnation() != incarnation
        || header.segmentBytes() < WriteAheadLog.MIN_SEGMENT_BYTES) {
      throw new CorruptStoreException(
          segment.path,
          0,
          "expected segment "
              + segment.number
              + " of store "
              + superblock.storeId()
              + " from LSN "
              + nextLsn
              + " on, found "
              + header);
    }
    if (segment.size < header.segmentBytes()) {
      throw new CorruptStoreException(
          segment.path,
          segment.size,
          "expected " + header.segmentBytes() + " bytes; the file was truncated");
    }
    return header;
  }

  /**
   * What lay before the first segment has been reclaimed, or is in the image that the store was
   * created with. The log begins where that one says, which must leave no gap behind the
   * checkpoint.
   */
  @Upholds("WatermarkReclamation!RecoveredEqualsVisibleInv")
  private void beginAt(SegmentInput segment, SegmentHeader header) {
    long needed = superblock.checkpoint().lsn() + 1;
    if (segment.number == 1) {
      nextLsn = Math.max(1, Math.min(header.firstLsn(), needed));
      return;
    }
    if (superblock.checkpoint().lsn() == 0 || header.firstLsn() > needed) {
      throw new CorruptStoreException(
          storage.locate(StoreFiles.segment(segment.number - 1)),
          0,
          "expected this file, since LSN "
              + needed
              + " is needed and "
              + segment.path
              + " begins with LSN "
              + header.firstLsn()
              + "; it is missing");
    }
    nextLsn = header.firstLsn();
    checksum = header.previousChecksum();
    incarnation = header.incarnation();
  }

  /** Follows the chain through one segment; true if it goes on in the next. */
  @Upholds("SequencedCommit!RecoveredIsPrefixInv")
  private boolean readFrames(SegmentInput segment, SegmentHeader header) throws IOException {
    offset = Math.max(SegmentHeader.BYTES, resumeOffset);
    resumeOffset = 0;
    while (true) {
      Frame frame = frameAt(segment, offset, header.segmentBytes());
      if (frame == null || !continuesLog(frame) || !payloadIsIntact(segment, frame)) {
        return false;
      }
      requireConsistent(segment, frame);
      if (frame.forcedLsn() == nextLsn - 1) {
        firstUnproven = new LogEnd.Place(segment.number, offset);
      }
      long covered = superblock.checkpoint().lsn() - frame.firstLsn() + 1;
      RecordReader.read(segment, offset + Frame.HEADER_BYTES, frame, covered, replay);
      checksum = Frame.checksum(segment.window(), segment.indexOf(offset, Frame.HEADER_BYTES));
      incarnation = frame.incarnation();
      nextLsn = frame.lastLsn() + 1;
      closed = frame.kind() == Kind.CLOSE || (closed && frame.kind() == Kind.SEAL);
      offset += frame.bytes();
      if (frame.kind() == Kind.SEAL) {
        return true;
      }
    }
  }

  /** The header of the frame written for {@code position}; null if none was. */
  Frame frameAt(SegmentInput segment, long position, long limit) throws IOException {
    if (limit - position < Frame.HEADER_BYTES) {
      return null;
    }
    int index = segment.indexOf(position, Frame.HEADER_BYTES);
    Frame frame = Frame.decode(segment.window(), index, checksums, segment.number, position);
    return frame == null || frame.payloadBytes() < 0 || frame.bytes() > limit - position
        ? null
        : frame;
  }

  /**
   * Whether the frame was written behind the frame read last, and not in an earlier life behind
   * another frame that ended at the same place.
   */
  @Upholds("SequencedCommit!StaleTailNeverReplaysInv")
  private boolean continuesLog(Frame frame) {
    long expected = frame.kind() == Kind.OPEN ? incarnation + 1 : incarnation;
    return frame.previousChecksum() == checksum && frame.incarnation() == expected;
  }

  /** Whether the records are those that were written, all of them. */
  @Upholds("SequencedCommit!NoInventedWriteInv")
  private boolean payloadIsIntact(SegmentInput segment, Frame frame) throws IOException {
    return frame.payloadChecksum()
        == segment.checksum(offset + Frame.HEADER_BYTES, Frame.filledUp(frame.payloadBytes()));
  }

  /** A frame that passes every checksum and still makes no sense was never written by us. */
  private void requireConsistent(SegmentInput segment, Frame frame) {
    boolean data = frame.kind() == Kind.DATA;
    if (frame.firstLsn() != nextLsn
        || frame.forcedLsn() >= nextLsn
        || (closed && (data || frame.kind() == Kind.CLOSE))
        || (data ? frame.count() < 1 : frame.count() != 0 || frame.payloadBytes() != 0)) {
      throw new CorruptStoreException(
          segment.path, offset, "expected a frame with LSN " + nextLsn + ", found " + frame);
    }
  }

  /**
   * Decides that the log ended here when it was last written: neither anything behind nor the
   * superblock was written after something that is missing here had been durable.
   *
   * @throws CorruptStoreException otherwise
   */
  @Upholds("SequencedCommit!NoLostWriteInv")
  private void requireNoProofBehind(SegmentInput last, SegmentHeader header) throws IOException {
    requireNoProofIn(last, offset, header.segmentBytes(), last, this::provesLoss);
    if (store.lastSegment() > last.number) {
      requireUnused(last.number + 1, last);
    }
    if (store.lastSegment() > last.number + 1) {
      throw lost(last, storage.locate(StoreFiles.segment(last.number + 2)) + " was created");
    }
    if (superblock.incarnation() > incarnation || superblock.lsn() >= nextLsn) {
      throw new CorruptStoreException(
          last.path,
          offset,
          "expected frames up to incarnation "
              + superblock.incarnation()
              + " and LSN "
              + superblock.lsn()
              + ", which were durable before "
              + storage.locate(StoreFiles.SUPERBLOCK)
              + " was written; the log ends with incarnation "
              + incarnation
              + " and LSN "
              + (nextLsn - 1));
    }
  }

  /**
   * Whether the frame was written after something missing at the log's end had been durable: the
   * next record, or the opening of a later incarnation.
   */
  boolean provesLoss(Frame frame) {
    return frame.forcedLsn() >= nextLsn || frame.incarnation() > incarnation;
  }

  /**
   * The last segment is not sealed. So the next one, if it exists, is left from a crash that came
   * before the seal was durable: no frame was ever written to it, and nothing that was durable when
   * it was created is missing.
   */
  private void requireUnused(int number, SegmentInput last) throws IOException {
    try (SegmentInput next = SegmentInput.open(storage, number)) {
      SegmentHeader header = SegmentHeader.read(next);
      if (header != null
          && header.storeId().equals(superblock.storeId())
          && header.firstLsn() > nextLsn) {
        throw lost(last, next.path + " was created, " + header);
      }
      requireNoProofIn(next, SegmentHeader.BYTES, next.size, last, frame -> true);
    }
  }

  private void requireNoProofIn(
      SegmentInput segment, long from, long to, SegmentInput last, Predicate<Frame> proves)
      throws IOException {
    for (long at = from; at < to; at += Frame.ALIGNMENT) {
      Frame frame = frameAt(segment, at, to);
      if (frame != null && proves.test(frame)) {
        throw lost(last, segment.path + " was written at offset " + at + ", " + frame);
      }
    }
  }

  private CorruptStoreException lost(SegmentInput last, String proof) {
    return new CorruptStoreException(
        last.path,
        offset,
        "expected the frame for LSN " + nextLsn + ", which was durable before " + proof);
  }
}
