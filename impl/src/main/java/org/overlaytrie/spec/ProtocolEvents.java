package org.overlaytrie.spec;

import java.io.IOException;
import org.overlaytrie.wal.LogRecord;

/**
 * One method per action of {@code SequencedCommit.tla}, of {@code AsyncCommit.tla} and {@code
 * BufferedCommit.tla}, which add to it, and of {@code WatermarkReclamation.tla}, called by the
 * thread that takes the step, at the place in the code that takes it. Each gets the values that fix
 * the action's place in the order of all actions: LSNs, leadership terms, thread identifiers
 * ({@link Thread#getId()}).
 *
 * <p>Every method does nothing by default, and the default observer {@link #NONE} costs nothing
 * once compiled. An implementation must neither lock nor wait (a lock would hide the races that it
 * is there to show) unless it is a scheduler that controls the threads on purpose; it must not
 * throw, and must not change the arrays that it is given.
 */
public interface ProtocolEvents extends AutoCloseable {

  /** Observes nothing. */
  ProtocolEvents NONE = new ProtocolEvents() {};

  /**
   * Stands for the closed version where the LSN of a tip, of a visible version or of a wait is
   * reported: greater than every LSN.
   */
  long NEVER = Long.MAX_VALUE;

  /**
   * {@code Invoke}: a write operation enters the store. {@code expected} and {@code value} are null
   * where the kind has none.
   */
  default void invoke(OperationKind kind, byte[] key, byte[] expected, byte[] value) {}

  /**
   * {@code Invoke} of a {@link OperationKind#BATCH}: several writes enter the store as one. {@code
   * batch} is a {@link LogRecord.Batch}, a {@link LogRecord.Difference} that is one once it is
   * encoded, or a {@link LogRecord.RemoveRange} alone.
   */
  default void invokeBatch(LogRecord batch) {}

  /**
   * {@code Withdraw}: the operation that this thread invoked was computed from what the tip held,
   * and the tip has moved. It comes to nothing; the thread invokes what it computes anew.
   */
  default void withdraw() {}

  /** {@code CommitVersion}: the CAS on the tip succeeded and gave this operation its LSN. */
  default void commitVersion(long lsn) {}

  /**
   * {@code ObserveNoOp}: the operation changes nothing in the tip of this LSN, and so depends on
   * it.
   */
  default void observeNoOp(long lsn) {}

  /**
   * {@code ReadVisible}: a read took its answer from the visible version of this LSN. {@code key}
   * is null for a read of the whole map; {@code result} is null if the key is absent.
   */
  default void readVisible(long lsn, byte[] key, byte[] result) {}

  /**
   * {@code BecomeLeader}: the CAS on the leadership term succeeded; {@code term} is the new, odd
   * term.
   */
  default void becomeLeader(long term) {}

  /**
   * {@code Enqueue}: this thread was pushed on the stack of waiters, to be served once {@code lsn}
   * is visible.
   */
  default void enqueue(long lsn) {}

  /**
   * {@code RecheckVisible}: after enqueueing, the visible version was read and still is below the
   * LSN waited for.
   */
  default void recheckVisible(long visibleLsn) {}

  /**
   * {@code Park}: the leadership was found held ({@code term} is odd), so this thread goes to
   * sleep.
   */
  default void park(long term) {}

  /**
   * {@code CollectBatch}: the leader read the tip; everything up to {@code endLsn} goes into this
   * flush. {@link #NEVER} if the tip is closed.
   */
  default void collectBatch(long endLsn) {}

  /**
   * {@code WriteFrame}: one frame with the records {@code firstLsn..lastLsn} was written, not
   * forced.
   */
  default void writeFrame(long incarnation, long firstLsn, long lastLsn) {}

  /**
   * {@code ForceLog}: a force returned; every frame up to {@code lastLsn}, and a closing frame that
   * was written before, is durable.
   */
  default void forceLog(long lastLsn) {}

  /**
   * {@code MakeVisible}: readers see the version of this LSN from here on. {@link #NEVER} if it is
   * the closed one, which has the content of the last version, and which nobody may read.
   */
  default void makeVisible(long lsn) {}

  /**
   * {@code DrainWaiters}: the leader took the whole stack. {@code waiters} are the threads that it
   * took from it and {@code lsns} what each of them waits for. An entry can be stale: a thread
   * whose re-check found its LSN visible goes on and leaves its entry behind, so one thread may be
   * listed more than once, but never twice with the same LSN.
   */
  default void drainWaiters(long[] waiters, long[] lsns) {}

  /**
   * {@code WakeServed}: the entry of {@code waiter} for {@code lsn}, which is visible, is about to
   * be let go. For a stale entry this is a spurious wake-up, which the waiting loop allows.
   */
  default void wakeServed(long waiter, long lsn) {}

  /**
   * {@code HandOver}: the leadership is about to pass to the waiting thread {@code waiter}, whose
   * {@code lsn} is not visible yet; {@code term} is the new, odd term.
   */
  default void handOver(long waiter, long lsn, long term) {}

  /**
   * {@code ReleaseLeadership}: nobody waits unserved; the leadership is free under the new, even
   * {@code term}.
   */
  default void releaseLeadership(long term) {}

  /**
   * {@code RecheckTip}: after the release the tip was read; its LSN, {@link #NEVER} if it is
   * closed, tells whether somebody must lead again.
   */
  default void recheckTip(long tipLsn) {}

  /**
   * {@code Answer}: the operation is about to return. {@code previous} is the value that the key
   * held before it, null if it was absent.
   */
  default void answer(byte[] previous) {}

  /**
   * {@code RequestSync}: this thread, which has no operation, begins to wait until {@code lsn} is
   * visible. {@link #answer} with null, or {@link #answerFailure}, ends it.
   */
  default void requestSync(long lsn) {}

  /**
   * {@code LeaveStage}: this thread does not wait itself for what its operation, or its sync,
   * depends on; a stage of this number does so in its place.
   */
  default void leaveStage(long stage) {}

  /** {@code CompleteStage}: the stage is about to be completed with the operation's answer. */
  default void completeStage(long stage, byte[] previous) {}

  /** {@code FailStage}: the stage is about to be told that the store has failed. */
  default void failStage(long stage) {}

  /**
   * {@code AnswerUnforced}: the operation is about to return, and what it depends on may not be
   * durable: the store's durability says that it need not be.
   */
  default void answerUnforced(byte[] previous) {}

  /** {@code ReadTip}: as {@link #readVisible}, from the tip. */
  default void readTip(long lsn, byte[] key, byte[] result) {}

  /**
   * {@code RecheckStack}: after the release the stack was read; whether it holds somebody tells
   * whether somebody must lead again.
   */
  default void recheckStack(boolean somebodyWaits) {}

  /**
   * {@code FailStore}: a write, a force or the leader itself failed; nothing is acknowledged from
   * here on.
   */
  default void failStore() {}

  /** {@code AnswerFailure}: the operation is about to throw because the store has failed. */
  default void answerFailure() {}

  /**
   * {@code CloseTip}: the CAS succeeded that closed the tip of this LSN. The thread goes on as one
   * that waits for {@link #NEVER}.
   */
  default void closeTip(long lsn) {}

  /** {@code RefuseClosed}: the operation is about to throw because it found the tip closed. */
  default void refuseClosed() {}

  /** {@code WriteClose}: the closing frame was written behind {@code lastLsn}, not forced. */
  default void writeClose(long lastLsn) {}

  /**
   * {@code CloseLog}: the closing thread is done with the log. Its closing frame is durable if
   * {@link #forceLog} came before; if not, the store had failed, or the frame could not be made so.
   */
  default void closeLog() {}

  /**
   * {@code ReadLog}: recovery read the log; {@code lastLsn} is the last LSN found valid. Nothing is
   * changed yet.
   */
  default void readLog(long lastLsn) {}

  /**
   * {@code OpenIncarnation}: recovery wrote its opening frame, which carries the new incarnation.
   * Not forced.
   */
  default void openIncarnation(long incarnation) {}

  /**
   * {@code FinishRecovery}: the opening frame, and with it all that recovery read, is durable;
   * operations may begin.
   */
  default void finishRecovery(long lastLsn) {}

  /**
   * {@code WriteClaim}: a slot of the superblock was written, with this generation, which claims
   * that all records up to {@code lsn} are durable. Not forced.
   */
  default void writeClaim(long generation, long lsn) {}

  /** {@code ForceClaim}: that slot is durable. */
  default void forceClaim(long generation, long lsn) {}

  /**
   * {@code SealSegment}: the log goes on in segment {@code number}, whose first record will have
   * {@code firstLsn}; the seal of the segment before is durable.
   */
  default void sealSegment(int number, long firstLsn) {}

  /**
   * {@code CaptureVersion}: a checkpoint read the visible version, content and LSN together; {@code
   * lsn} will be the checkpoint LSN.
   */
  default void captureVersion(long lsn) {}

  /** {@code WriteImage}: all nodes of that version are in the image. Not forced. */
  default void writeImage(long lsn) {}

  /** {@code ForceImage}: the image of that version is durable. */
  default void forceImage(long lsn) {}

  /** {@code InstallAddresses}: the nodes of that version know where their records are. */
  default void installAddresses(long lsn) {}

  /**
   * {@code PublishCheckpoint}: a slot of the superblock was written, with this generation, which
   * names that image. Not forced.
   */
  default void publishCheckpoint(long generation, long lsn) {}

  /** {@code ForceCheckpoint}: that slot is durable, and so is the checkpoint. */
  default void forceCheckpoint(long generation, long lsn) {}

  /** {@code FailCheckpoint}: the checkpoint under way has ended without coming so far. */
  default void failCheckpoint() {}

  /** {@code DeleteSegment}: a log segment's directory entry was removed. Not durable. */
  default void deleteSegment(int number) {}

  /** {@code ForceDirectory}: that removal is durable. */
  default void forceDirectory() {}

  /**
   * The store that was observed has closed, or could not be opened. No action of the specification.
   */
  @Override
  default void close() throws IOException {}
}
