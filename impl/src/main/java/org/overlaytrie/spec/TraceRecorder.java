package org.overlaytrie.spec;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.overlaytrie.wal.LogRecord;

/**
 * Records the protocol's events in a file, so that {@code ./verify.sh trace FILE} can check them
 * against {@code SequencedCommit.tla}.
 *
 * <p>The file is mapped: what was recorded survives {@code kill -9} (not a power loss). Opening a
 * file that already holds a trace appends a new <em>run</em> to it, so that one file tells the
 * whole story of one store across crashes. One recorder at a time may hold a file.
 *
 * <pre>
 *   header  magic, size of a chunk, next free chunk, number of runs, events lost       (4096 bytes)
 *   chunk   run and number of chunks, thread, position among the thread's chunks        (24 bytes)
 *           event, event, ..., zeros
 *   event   kind, number of arrays, number of numbers                                    (8 bytes)
 *           the numbers, 8 bytes each; the arrays, each its length (-1 if null) in 8 bytes and its
 *           bytes, padded to a multiple of 8
 * </pre>
 *
 * All numbers are little-endian. Each thread writes to chunks of its own, which it claims by one
 * atomic addition to <em>next free chunk</em>: there is no lock and no other shared write, so the
 * recorder adds no order between threads beyond that. An event's first word is written last, after
 * the rest; where it is zero, there is no event (yet).
 *
 * <p>When the file is full, recording stops and the number of events lost is kept in the header:
 * such a trace is reported as cut off, never taken for a whole one. The file is sparse; a file
 * system without room for its blocks makes the recording thread fail with an {@link InternalError}.
 *
 * <p>Belongs to the store that it observes, which closes it. Safe for use by any number of threads.
 */
public final class TraceRecorder implements ProtocolEvents {

  /** What was recorded; the constants' order is part of the file's format. */
  public enum Kind {
    /** {@link ProtocolEvents#invoke}: the operation's ordinal; key, expected, value. */
    INVOKE(1, 3),
    /** {@link ProtocolEvents#commitVersion}: LSN. */
    COMMIT_VERSION(1, 0),
    /** {@link ProtocolEvents#observeNoOp}: LSN. */
    OBSERVE_NO_OP(1, 0),
    /** {@link ProtocolEvents#readVisible}: LSN; key, result. */
    READ_VISIBLE(1, 2),
    /** {@link ProtocolEvents#becomeLeader}: term. */
    BECOME_LEADER(1, 0),
    /** {@link ProtocolEvents#enqueue}: LSN. */
    ENQUEUE(1, 0),
    /** {@link ProtocolEvents#recheckVisible}: LSN. */
    RECHECK_VISIBLE(1, 0),
    /** {@link ProtocolEvents#park}: term. */
    PARK(1, 0),
    /** {@link ProtocolEvents#collectBatch}: LSN. */
    COLLECT_BATCH(1, 0),
    /** {@link ProtocolEvents#writeFrame}: incarnation, first LSN, last LSN. */
    WRITE_FRAME(3, 0),
    /** {@link ProtocolEvents#forceLog}: LSN. */
    FORCE_LOG(1, 0),
    /** {@link ProtocolEvents#makeVisible}: LSN. */
    MAKE_VISIBLE(1, 0),
    /** {@link ProtocolEvents#drainWaiters}: the threads, then the LSNs. */
    DRAIN_WAITERS(-1, 0),
    /** {@link ProtocolEvents#wakeServed}: thread, LSN. */
    WAKE_SERVED(2, 0),
    /** {@link ProtocolEvents#handOver}: thread, LSN, term. */
    HAND_OVER(3, 0),
    /** {@link ProtocolEvents#releaseLeadership}: term. */
    RELEASE_LEADERSHIP(1, 0),
    /** {@link ProtocolEvents#recheckTip}: LSN. */
    RECHECK_TIP(1, 0),
    /** {@link ProtocolEvents#answer}: previous. */
    ANSWER(0, 1),
    /** {@link ProtocolEvents#failStore}. */
    FAIL_STORE(0, 0),
    /** {@link ProtocolEvents#answerFailure}. */
    ANSWER_FAILURE(0, 0),
    /** {@link ProtocolEvents#readLog}: LSN. */
    READ_LOG(1, 0),
    /** {@link ProtocolEvents#openIncarnation}: incarnation. */
    OPEN_INCARNATION(1, 0),
    /** {@link ProtocolEvents#finishRecovery}: LSN. */
    FINISH_RECOVERY(1, 0),
    /** {@link TraceRecorder#close}: the run ended in an orderly way. */
    CLOSE(0, 0),
    /** {@link ProtocolEvents#closeTip}: LSN. */
    CLOSE_TIP(1, 0),
    /** {@link ProtocolEvents#refuseClosed}. */
    REFUSE_CLOSED(0, 0),
    /** {@link ProtocolEvents#writeClose}: LSN. */
    WRITE_CLOSE(1, 0),
    /** {@link ProtocolEvents#closeLog}. */
    CLOSE_LOG(0, 0),
    /** {@link ProtocolEvents#invokeBatch}: the record, encoded as in the log. */
    INVOKE_BATCH(0, 1),
    /** {@link ProtocolEvents#withdraw}. */
    WITHDRAW(0, 0),
    /** {@link ProtocolEvents#requestSync}: LSN. */
    REQUEST_SYNC(1, 0),
    /** {@link ProtocolEvents#leaveStage}: stage. */
    LEAVE_STAGE(1, 0),
    /** {@link ProtocolEvents#completeStage}: stage; previous. */
    COMPLETE_STAGE(1, 1),
    /** {@link ProtocolEvents#failStage}: stage. */
    FAIL_STAGE(1, 0),
    /** {@link ProtocolEvents#answerUnforced}: previous. */
    ANSWER_UNFORCED(0, 1),
    /** {@link ProtocolEvents#readTip}: LSN; key, result. */
    READ_TIP(1, 2),
    /** {@link ProtocolEvents#recheckStack}: 1 if somebody waits, 0 if not. */
    RECHECK_STACK(1, 0);

    private final int numbers;
    private final int arrays;

    Kind(int numbers, int arrays) {
      this.numbers = numbers;
      this.arrays = arrays;
    }

    /** How many numbers an event of this kind has; -1 if that varies. */
    public int numbers() {
      return numbers;
    }

    /** How many arrays an event of this kind has. */
    public int arrays() {
      return arrays;
    }
  }

  /** The system property that names the file in which a store's events are recorded. */
  public static final String FILE_PROPERTY = "overlaytrie.trace";

  /** The system property for the size of that file in MiB, 1 to 2047; 256 if not set. */
  public static final String SIZE_PROPERTY = "overlaytrie.trace.megabytes";

  /** The header's first word. */
  public static final long MAGIC = 0x3130_4543_4152_544FL; // "OTRACE01"

  /** Where the header holds the size of a chunk in bytes. */
  public static final int CHUNK_BYTES_AT = 8;

  /** Where the header holds the number of the next free chunk. */
  public static final int NEXT_CHUNK_AT = 16;

  /** Where the header holds the number of runs. */
  public static final int RUNS_AT = 24;

  /** Where the header holds the number of events that found no room. */
  public static final int LOST_AT = 32;

  /** The header's size; chunk 0 begins here. */
  public static final int HEADER_BYTES = 4096;

  /** The size of a chunk's head. */
  public static final int CHUNK_HEAD_BYTES = 24;

  private static final int CHUNK_BYTES = 16 << 10;
  private static final int DEFAULT_MEGABYTES = 256;
  private static final long[] NO_NUMBERS = {};

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Where a thread writes its next event. */
  private static final class Position {
    final long thread = Thread.currentThread().getId();
    long chunks;
    int next;
    int end;
  }

  private final FileChannel channel;
  private final MappedByteBuffer map;
  private final int chunkBytes;
  private final long run;
  private final ThreadLocal<Position> position = ThreadLocal.withInitial(Position::new);

  private TraceRecorder(FileChannel channel, MappedByteBuffer map) {
    this.channel = channel;
    this.map = map;
    this.chunkBytes = (int) get(CHUNK_BYTES_AT);
    this.run = add(RUNS_AT, 1) + 1;
  }

  /**
   * The recorder that the system properties {@value #FILE_PROPERTY} and {@value #SIZE_PROPERTY} ask
   * for; {@link ProtocolEvents#NONE} if the former is not set.
   *
   * @throws IllegalArgumentException if the size is not a number from 1 to 2047
   * @throws IOException as {@link #open}
   */
  public static ProtocolEvents configured() throws IOException {
    String file = System.getProperty(FILE_PROPERTY);
    if (file == null) {
      return ProtocolEvents.NONE;
    }
    int megabytes = Integer.getInteger(SIZE_PROPERTY, DEFAULT_MEGABYTES);
    if (megabytes < 1 || megabytes > 2047) {
      throw new IllegalArgumentException(SIZE_PROPERTY + " must be 1 to 2047, is " + megabytes);
    }
    return open(Path.of(file), megabytes << 20);
  }

  /**
   * Starts a new run in a file, which is created if it does not exist.
   *
   * @param bytes the size of the file, which is sparse; a file that is larger already stays so. At
   *     least 4096
   * @throws IOException if the file holds something else than a trace, is held by another recorder,
   *     or cannot be written; it is left as it was
   */
  public static TraceRecorder open(Path file, int bytes) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    try {
      lock(channel, file);
      long size = channel.size();
      MappedByteBuffer map =
          size >= HEADER_BYTES ? channel.map(FileChannel.MapMode.READ_ONLY, 0, HEADER_BYTES) : null;
      long magic = map == null ? 0 : (long) WORD.get(map, 0);
      if (magic != MAGIC && (magic != 0 || size % HEADER_BYTES != 0)) {
        throw new IOException(file + " is not a trace; it was left as it is");
      }
      map = channel.map(FileChannel.MapMode.READ_WRITE, 0, Math.max(bytes, size));
      if (magic == 0) {
        WORD.set(map, CHUNK_BYTES_AT, (long) CHUNK_BYTES);
        WORD.setRelease(map, 0, MAGIC);
      }
      return new TraceRecorder(channel, map);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static void lock(FileChannel channel, Path file) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException(
          file + " is in use: a trace file records one store at a time, in one process");
    }
  }

  /**
   * Ends the run and lets go of the file. Events that threads still record afterwards belong to the
   * run that has ended, and are kept.
   */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      record(Kind.CLOSE, NO_NUMBERS);
      channel.close();
    }
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // the order is part of the format
  public void invoke(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    record(Kind.INVOKE, numbers(kind.ordinal()), key, expected, value);
  }

  @Override
  public void invokeBatch(LogRecord batch) {
    ByteBuffer encoded = ByteBuffer.allocate(batch.encodedBytes());
    batch.encode(encoded);
    record(Kind.INVOKE_BATCH, NO_NUMBERS, encoded.array());
  }

  @Override
  public void withdraw() {
    record(Kind.WITHDRAW, NO_NUMBERS);
  }

  @Override
  public void commitVersion(long lsn) {
    record(Kind.COMMIT_VERSION, numbers(lsn));
  }

  @Override
  public void observeNoOp(long lsn) {
    record(Kind.OBSERVE_NO_OP, numbers(lsn));
  }

  @Override
  public void readVisible(long lsn, byte[] key, byte[] result) {
    record(Kind.READ_VISIBLE, numbers(lsn), key, result);
  }

  @Override
  public void becomeLeader(long term) {
    record(Kind.BECOME_LEADER, numbers(term));
  }

  @Override
  public void enqueue(long lsn) {
    record(Kind.ENQUEUE, numbers(lsn));
  }

  @Override
  public void recheckVisible(long visibleLsn) {
    record(Kind.RECHECK_VISIBLE, numbers(visibleLsn));
  }

  @Override
  public void park(long term) {
    record(Kind.PARK, numbers(term));
  }

  @Override
  public void collectBatch(long endLsn) {
    record(Kind.COLLECT_BATCH, numbers(endLsn));
  }

  @Override
  public void writeFrame(long incarnation, long firstLsn, long lastLsn) {
    record(Kind.WRITE_FRAME, numbers(incarnation, firstLsn, lastLsn));
  }

  @Override
  public void forceLog(long lastLsn) {
    record(Kind.FORCE_LOG, numbers(lastLsn));
  }

  @Override
  public void makeVisible(long lsn) {
    record(Kind.MAKE_VISIBLE, numbers(lsn));
  }

  @Override
  public void drainWaiters(long[] waiters, long[] lsns) {
    long[] numbers = Arrays.copyOf(waiters, waiters.length + lsns.length);
    System.arraycopy(lsns, 0, numbers, waiters.length, lsns.length);
    record(Kind.DRAIN_WAITERS, numbers);
  }

  @Override
  public void wakeServed(long waiter, long lsn) {
    record(Kind.WAKE_SERVED, numbers(waiter, lsn));
  }

  @Override
  public void handOver(long waiter, long lsn, long term) {
    record(Kind.HAND_OVER, numbers(waiter, lsn, term));
  }

  @Override
  public void releaseLeadership(long term) {
    record(Kind.RELEASE_LEADERSHIP, numbers(term));
  }

  @Override
  public void recheckTip(long tipLsn) {
    record(Kind.RECHECK_TIP, numbers(tipLsn));
  }

  @Override
  public void answer(byte[] previous) {
    record(Kind.ANSWER, NO_NUMBERS, previous);
  }

  @Override
  public void requestSync(long lsn) {
    record(Kind.REQUEST_SYNC, numbers(lsn));
  }

  @Override
  public void leaveStage(long stage) {
    record(Kind.LEAVE_STAGE, numbers(stage));
  }

  @Override
  public void completeStage(long stage, byte[] previous) {
    record(Kind.COMPLETE_STAGE, numbers(stage), previous);
  }

  @Override
  public void failStage(long stage) {
    record(Kind.FAIL_STAGE, numbers(stage));
  }

  @Override
  public void answerUnforced(byte[] previous) {
    record(Kind.ANSWER_UNFORCED, NO_NUMBERS, previous);
  }

  @Override
  public void readTip(long lsn, byte[] key, byte[] result) {
    record(Kind.READ_TIP, numbers(lsn), key, result);
  }

  @Override
  public void recheckStack(boolean somebodyWaits) {
    record(Kind.RECHECK_STACK, numbers(somebodyWaits ? 1 : 0));
  }

  @Override
  public void failStore() {
    record(Kind.FAIL_STORE, NO_NUMBERS);
  }

  @Override
  public void answerFailure() {
    record(Kind.ANSWER_FAILURE, NO_NUMBERS);
  }

  @Override
  public void closeTip(long lsn) {
    record(Kind.CLOSE_TIP, numbers(lsn));
  }

  @Override
  public void refuseClosed() {
    record(Kind.REFUSE_CLOSED, NO_NUMBERS);
  }

  @Override
  public void writeClose(long lastLsn) {
    record(Kind.WRITE_CLOSE, numbers(lastLsn));
  }

  @Override
  public void closeLog() {
    record(Kind.CLOSE_LOG, NO_NUMBERS);
  }

  @Override
  public void readLog(long lastLsn) {
    record(Kind.READ_LOG, numbers(lastLsn));
  }

  @Override
  public void openIncarnation(long incarnation) {
    record(Kind.OPEN_INCARNATION, numbers(incarnation));
  }

  @Override
  public void finishRecovery(long lastLsn) {
    record(Kind.FINISH_RECOVERY, numbers(lastLsn));
  }

  private static long[] numbers(long... numbers) {
    return numbers;
  }

  @SuppressWarnings("EnumOrdinal") // the order is part of the format
  private void record(Kind kind, long[] numbers, byte[]... arrays) {
    Position at = position.get();
    long size = 8 + 8L * numbers.length;
    for (byte[] array : arrays) {
      size += 8 + (array == null ? 0 : padded(array.length));
    }
    if (at.end - at.next < size && !claimChunks(at, size)) {
      return;
    }
    int begin = at.next;
    int to = begin + 8;
    for (long number : numbers) {
      set(to, number);
      to += 8;
    }
    for (byte[] array : arrays) {
      set(to, array == null ? -1 : array.length);
      to += 8;
      if (array != null) {
        map.put(to, array);
        to += (int) padded(array.length);
      }
    }
    at.next = to;
    publish(begin, (1 + kind.ordinal()) | (arrays.length << 8) | ((long) numbers.length << 16));
  }

  /** Gives the thread the room for one event at least; false if the file has no such room. */
  private boolean claimChunks(Position at, long size) {
    long count = (CHUNK_HEAD_BYTES + size + chunkBytes - 1) / chunkBytes;
    long first = add(NEXT_CHUNK_AT, count);
    long begin = HEADER_BYTES + first * chunkBytes;
    long end = begin + count * chunkBytes;
    if (end > map.capacity()) {
      // The thread's later events must be lost too: a gap within a thread could go unnoticed.
      at.end = 0;
      add(LOST_AT, 1);
      return false;
    }
    set((int) begin + 8, at.thread);
    set((int) begin + 16, at.chunks++);
    publish((int) begin, run | (count << 32));
    at.next = (int) begin + CHUNK_HEAD_BYTES;
    at.end = (int) end;
    return true;
  }

  private static long padded(long length) {
    return (length + 7) & ~7L;
  }

  private long get(int at) {
    return (long) WORD.get(map, at);
  }

  private void set(int at, long value) {
    WORD.set(map, at, value);
  }

  /** Ordered after everything that this thread wrote before; read by whoever reads the file. */
  private void publish(int at, long value) {
    WORD.setRelease(map, at, value);
  }

  /** The only writes that threads contend for: claims of chunks, and counts of lost events. */
  private long add(int at, long delta) {
    return (long) WORD.getAndAdd(map, at, delta);
  }
}
