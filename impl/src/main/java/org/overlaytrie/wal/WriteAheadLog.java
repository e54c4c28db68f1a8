package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.wal.Frame.Kind;

/**
 * The log of a store: records are appended in frames, made durable by a force, and handed back in
 * the same order when the store is opened again.
 *
 * <p>For one thread at a time; whoever passes the log on to another thread must do so by a
 * synchronizing action. After any exception the log can only be abandoned: what its last bytes are
 * is then unknown, and is found out by opening it again.
 */
public final class WriteAheadLog {

  /** The smallest segment, in bytes. */
  public static final int MIN_SEGMENT_BYTES = 1 << 12;

  /** The largest segment that can be asked for, in bytes. */
  public static final int MAX_SEGMENT_BYTES = 1 << 30;

  /** Records share a frame of at most a segment's size divided by this, */
  private static final int FRAMES_PER_SEGMENT = 8;

  /** and of at most this size. */
  private static final int MAX_SHARED_FRAME_BYTES = 1 << 21;

  private static final int SMALL_BUFFER_BYTES = 1 << 13;

  private final StoreDirectory store;
  private final Storage storage;
  private final int segmentBytes;
  private final int sharedFrameBytes;
  private final ProtocolEvents events;
  private final Checksums checksums;

  private LogSegment segment;
  private int checksum;
  private long incarnation;
  private long lastLsn;
  private long forcedLsn;
  private ByteBuffer buffer = ByteBuffer.allocate(SMALL_BUFFER_BYTES);

  /** Whether a step failed half-way, or the log was closed or abandoned. */
  private boolean unusable;

  private WriteAheadLog(StoreDirectory store, LogEnd end) throws IOException {
    this.store = store;
    this.storage = store.storage();
    this.segmentBytes = store.segmentBytes();
    this.events = store.events();
    this.sharedFrameBytes = Math.min(segmentBytes / FRAMES_PER_SEGMENT, MAX_SHARED_FRAME_BYTES);
    this.checksums = new Checksums(store.storeId());
    this.segment = LogSegment.resume(storage, end);
    this.checksum = end.checksum();
    this.incarnation = end.incarnation();
    this.lastLsn = end.lastLsn();
    this.forcedLsn = end.lastLsn();
  }

  /**
   * Opens the log of {@code store} and hands every record above its checkpoint LSN to {@code
   * replay}, in LSN order. When it returns, all that was replayed is durable and a new incarnation
   * has begun.
   *
   * <p>Records are handed over while the log is being read. If this throws, the caller must discard
   * what it was given. No file of an existing store is changed before the whole log was found
   * valid.
   *
   * @throws org.overlaytrie.CorruptStoreException if the files hold what no crash can have left
   */
  public static WriteAheadLog open(StoreDirectory store, Consumer<LogRecord> replay)
      throws IOException {
    LogEnd end = new LogReader(store, replay).read();
    store.events().readLog(end.lastLsn());
    store.makeDurable(end);
    WriteAheadLog log = new WriteAheadLog(store, end);
    try {
      log.beginIncarnation();
      return log;
    } catch (Throwable e) {
      log.abandon();
      throw e;
    }
  }

  private void beginIncarnation() throws IOException {
    // OpenIncarnation
    makeRoom(Frame.HEADER_BYTES); // still in the name of the incarnation before
    incarnation++;
    writeFrame(Kind.OPEN, 0, 0);
    events.openIncarnation(incarnation);
    // FinishRecovery
    segment.force();
    store.claimAtOpen(incarnation, forcedLsn); // lest a log without frames pass for a new one
    events.finishRecovery(lastLsn);
  }

  /** The LSN of the last record in the log, 0 if there is none. */
  public long lastLsn() {
    return lastLsn;
  }

  /** The number of this open, 1 for the one that created the store. */
  public long incarnation() {
    return incarnation;
  }

  /**
   * Writes the records, the first of which has {@code firstLsn == lastLsn() + 1}, as one or more
   * frames. Not durable yet.
   *
   * @throws IllegalStateException if the log is closed, or failed before
   */
  public void append(long firstLsn, List<LogRecord> records) throws IOException {
    if (firstLsn != lastLsn + 1) {
      throw new IllegalArgumentException("LSN " + firstLsn + " does not follow " + lastLsn);
    }
    beginStep();
    for (int written = 0; written < records.size(); ) {
      written += appendFrame(records.subList(written, records.size()));
    }
    endStep();
  }

  /** Writes as many of the records as one frame takes, at least one; returns how many. */
  private int appendFrame(List<LogRecord> records) throws IOException {
    // WriteFrame
    int count = 0;
    int payloadBytes = 0;
    for (LogRecord record : records) {
      int bytes = record.encodedBytes();
      if (count > 0 && payloadBytes + bytes > sharedFrameBytes) {
        break;
      }
      payloadBytes += bytes;
      count++;
    }
    makeRoom(Frame.bytes(payloadBytes));
    encodePayload(records.subList(0, count), payloadBytes);
    writeFrame(Kind.DATA, count, payloadBytes);
    long firstLsn = lastLsn + 1;
    lastLsn += count;
    events.writeFrame(incarnation, firstLsn, lastLsn);
    return count;
  }

  private void encodePayload(List<LogRecord> records, int payloadBytes) {
    int frameBytes = (int) Frame.bytes(payloadBytes);
    if (buffer.capacity() < frameBytes) {
      long grown = Math.min(2L * buffer.capacity(), Frame.bytes(sharedFrameBytes));
      buffer = ByteBuffer.allocate((int) Math.max(frameBytes, grown));
    }
    buffer.position(Frame.HEADER_BYTES);
    for (LogRecord record : records) {
      record.encode(buffer);
    }
    Arrays.fill(buffer.array(), buffer.position(), frameBytes, (byte) 0);
  }

  /** Writes a frame whose payload, if any, is in the buffer already. */
  private void writeFrame(Kind kind, int count, int payloadBytes) throws IOException {
    int frameBytes = (int) Frame.bytes(payloadBytes);
    checksum = segment.encode(nextFrame(kind, count, payloadBytes), buffer, checksums);
    segment.write(buffer.array(), frameBytes);
    if (buffer.capacity() > Math.max(SMALL_BUFFER_BYTES, Frame.bytes(sharedFrameBytes))) {
      buffer = ByteBuffer.allocate(SMALL_BUFFER_BYTES); // do not keep what one huge record needed
    }
  }

  private Frame nextFrame(Kind kind, int count, int payloadBytes) {
    int payloadChecksum =
        Checksums.plain(buffer.array(), Frame.HEADER_BYTES, (int) Frame.bytes(payloadBytes));
    return new Frame(
        kind, payloadBytes, payloadChecksum, checksum, count, incarnation, lastLsn + 1, forcedLsn);
  }

  private void makeRoom(long frameBytes) throws IOException {
    if (!segment.fits(frameBytes)) {
      rotate(frameBytes);
    }
  }

  /**
   * Goes on in a new segment. Whatever a crash leaves of this, the log has one end: until the seal
   * is durable it goes on in the old segment and the new one, which holds no frame, is created
   * afresh; from then on it goes on in the new one, which has been durable before.
   */
  private void rotate(long frameBytes) throws IOException {
    if (forcedLsn < lastLsn) {
      forceSegment();
    }
    int seal = segment.encode(nextFrame(Kind.SEAL, 0, 0), buffer, checksums);
    SegmentHeader header = nextHeader(frameBytes, seal);
    LogSegment next = LogSegment.create(storage, header);
    try {
      segment.write(buffer.array(), Frame.HEADER_BYTES);
      segment.force();
      events.sealSegment(header.number(), header.firstLsn()); // SealSegment
      claimDurable();
      segment.close();
    } catch (Throwable e) {
      next.close();
      throw e;
    }
    store.segments().add(header);
    segment = next;
    checksum = seal;
  }

  private SegmentHeader nextHeader(long frameBytes, int seal) {
    return new SegmentHeader(
        StoreFiles.FORMAT_VERSION,
        segment.number() + 1,
        store.storeId(),
        lastLsn + 1,
        LogSegment.sizeFor(frameBytes, segmentBytes),
        seal,
        incarnation);
  }

  /** Makes everything appended durable. Never to be retried. */
  public void force() throws IOException {
    beginStep();
    forceSegment();
    endStep();
  }

  private void forceSegment() throws IOException {
    // ForceLog
    segment.force();
    forcedLsn = lastLsn;
    events.forceLog(lastLsn);
  }

  /**
   * Claims what is durable by now where no damage to the log can reach. Should it fail, the log can
   * only be abandoned like after any other failed write: which slot is intact is then unknown.
   */
  private void claimDurable() throws IOException {
    store.slots().claim(incarnation, forcedLsn);
  }

  /**
   * Makes everything durable, writes and forces a closing frame, claims it all in the superblock,
   * and closes the files. An exception says that one of these failed; what was forced before stays.
   */
  public void close() throws IOException {
    try {
      beginStep();
      if (forcedLsn < lastLsn) {
        forceSegment();
      }
      writeFrame(Kind.CLOSE, 0, 0); // WriteClose
      events.writeClose(lastLsn);
      forceSegment();
      claimDurable();
    } finally {
      abandon();
    }
  }

  /** Closes the files without writing anything: what a failed store does. Idempotent. */
  public void abandon() throws IOException {
    unusable = true;
    segment.close();
  }

  /** From here to {@link #endStep} the log is unusable, should an exception end the step. */
  private void beginStep() {
    if (unusable) {
      throw new IllegalStateException("the log is closed or has failed");
    }
    unusable = true;
  }

  private void endStep() {
    unusable = false;
  }
}
