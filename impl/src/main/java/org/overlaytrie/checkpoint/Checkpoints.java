package org.overlaytrie.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.overlaytrie.CheckpointFailedException;
import org.overlaytrie.CheckpointPolicy;
import org.overlaytrie.CheckpointStatus;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.Version;
import org.overlaytrie.image.Image;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.wal.Checkpoint;
import org.overlaytrie.wal.StoreDirectory;

/**
 * When checkpoints are made, and by whom: one at a time, by a thread that asked for one or by the
 * store's own.
 *
 * <pre>
 *   checkpoint()       nobody makes one? make it.  Somebody does? wait, and look again: it will do
 *                      if it holds everything that was visible when this was called
 *   every write        a trigger is due? wake the store's thread.  The log is beyond its limit?
 *                      wait for an attempt that begins from here on; refuse if that fails
 *   the store's thread sleeps until it is woken, or until the interval is over
 * </pre>
 *
 * <p>An {@link IOException} fails the attempt and no more: it is logged and counted, thrown to
 * whoever waits for it, and tried again at the next trigger. Anything else that goes wrong is not
 * understood, so the store fails.
 */
public final class Checkpoints {
  private static final Logger LOGGER = System.getLogger("org.overlaytrie");

  private final SequencedCommit commit;
  private final StoreDirectory directory;
  private final Image image;
  private final Checkpointer checkpointer;
  private final CheckpointPolicy policy;
  private final MaintenanceThread thread;

  /** Guards what follows and is not volatile; never held while a checkpoint is made. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition attemptEnded = lock.newCondition();
  private boolean running;
  private long attemptsBegun;
  private long attemptsEnded;
  private long completed;
  private long failed;

  private volatile Throwable lastFailure;
  private volatile Checkpoint newest;
  private volatile long writtenEntries;
  private volatile long writtenBytes;

  /** Of the image, when the attempt began; for who makes it. */
  private long bytesBefore;

  private volatile boolean ended;

  /** The bytes of records, counted as {@link Version#recordBytes} does, that are covered. */
  private volatile long coveredBytes;

  /**
   * Checkpoints of a store that was recovered from {@code directory}.
   *
   * @param replayedBytes how many bytes of records recovery replayed: they count as written since
   *     the last checkpoint
   */
  public Checkpoints(
      SequencedCommit commit,
      StoreDirectory directory,
      Image image,
      ProtocolEvents events,
      Parking parking,
      CheckpointPolicy policy,
      long replayedBytes) {
    this.commit = commit;
    this.directory = directory;
    this.image = image;
    this.checkpointer = new Checkpointer(commit, directory, image, events);
    this.policy = policy;
    this.newest = directory.checkpoint();
    this.coveredBytes = -replayedBytes;
    this.thread = new MaintenanceThread(this, parking, policy.interval().toNanos());
  }

  /**
   * Waits until a checkpoint is durable that holds everything that was committed before this call.
   *
   * @throws CheckpointFailedException if it could not be written
   * @throws StoreFailedException if the store has failed, or fails meanwhile
   * @throws IllegalStateException if the store is closed
   */
  @Upholds("CheckpointTriggers!CalledIsDurableInv")
  public void checkpoint() {
    commit.sync();
    long lsn = commit.visible().lsn();
    while (!isDone(lsn)) {
      if (begin(lsn) && attempt() instanceof IOException failure && !isDone(lsn)) {
        throw new CheckpointFailedException("the checkpoint failed: " + failure, failure);
      }
    }
  }

  /** Whether the newest checkpoint holds this LSN, whichever slot is read. */
  private boolean isDone(long lsn) {
    return newest.lsn() >= lsn && directory.eitherSlotSuffices();
  }

  /** Waits for its turn; false if {@code lsn} is covered meanwhile. */
  private boolean begin(long lsn) {
    lock.lock();
    try {
      while (running && !isDone(lsn)) {
        attemptEnded.awaitUninterruptibly();
      }
      requireWorking();
      return !isDone(lsn) && beginUnlessRunning();
    } finally {
      lock.unlock();
    }
  }

  private boolean beginUnlessRunning() {
    lock.lock();
    try {
      if (running || !isWorking()) {
        return false;
      }
      running = true;
      attemptsBegun++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void requireWorking() {
    Throwable failure = commit.visible().failure();
    if (failure != null) {
      throw new StoreFailedException("the store has failed: " + failure, failure);
    }
    if (!isWorking()) {
      throw new IllegalStateException("the store is closed");
    }
  }

  /**
   * One attempt, whose turn it is. What went wrong is noted, and maybe the end of the store; null
   * if nothing did, or if it was given up because the store is being closed.
   */
  private Throwable attempt() {
    Throwable failure = null;
    try {
      writtenEntries = 0;
      bytesBefore = image.bytesWritten();
      Version version = checkpointer.checkpoint(newest, this::report);
      coveredBytes = version.recordBytes();
      writtenBytes = image.bytesWritten() - bytesBefore;
    } catch (GivenUp closing) {
      // nobody asks any more
    } catch (Throwable thrown) {
      failure = thrown;
    }
    try {
      if (failure != null && !(failure instanceof IOException)) {
        commit.fail(failure); // before anybody is told that the attempt has ended
      }
    } finally {
      thread.noteEnd();
      end(failure);
    }
    if (failure != null) {
      log(failure);
    }
    return failure;
  }

  /** For what went wrong beside an attempt. */
  void failStore(Throwable failure) {
    commit.fail(failure);
  }

  private static void log(Throwable failure) {
    try {
      LOGGER.log(Level.WARNING, "a checkpoint failed", failure);
    } catch (RuntimeException e) {
      // of the user's logging; the status tells of the failure too
    }
  }

  /** The store is being closed. */
  private static final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void report(long entries) {
    writtenEntries = entries;
    writtenBytes = image.bytesWritten() - bytesBefore;
    if (ended) {
      throw new GivenUp();
    }
  }

  @Upholds("CheckpointTriggers!CallEndsProp")
  private void end(Throwable failure) {
    lock.lock();
    try {
      Checkpoint before = newest;
      newest = directory.checkpoint();
      running = false;
      attemptsEnded++;
      lastFailure = failure;
      completed += newest.equals(before) ? 0 : 1;
      failed += failure == null ? 0 : 1;
      attemptEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has everybody who waits for an attempt look again. */
  void wakeWaiters() {
    lock.lock();
    try {
      attemptEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a checkpoint for the store's own reasons, unless one is being made. */
  void checkpointIfDue() {
    if (isDue() && beginUnlessRunning()) {
      attempt();
    }
  }

  /**
   * What every write does first: sees to it that a checkpoint is made if one is due, and waits
   * while the log is beyond its limit.
   *
   * @throws CheckpointFailedException if the checkpoint fails that was to shorten the log
   */
  @Upholds("CheckpointTriggers!LogWithinBoundInv")
  public void beforeWrite() {
    if (isDue()) {
      thread.wake();
    }
    thread.measureInterval();
    if (isLogBeyondLimit()) {
      awaitAttempt();
    }
  }

  @Upholds("CheckpointTriggers!RecoveryWithinBoundInv")
  private boolean isDue() {
    if (isLogBeyondLimit()) {
      return true;
    }
    Version visible = commit.visible();
    long changes = visible.lsn() - newest.lsn();
    return changes > 0
        && (visible.recordBytes() - coveredBytes >= policy.bytes()
            || changes >= policy.changes()
            || thread.isIntervalOver())
        && (lastFailure == null || thread.isTimeToRetry());
  }

  private boolean isLogBeyondLimit() {
    return directory.isLogBeyond(policy.logLimitBytes());
  }

  @Upholds("CheckpointTriggers!SlowedWriterGoesOnProp")
  private void awaitAttempt() {
    lock.lock();
    try {
      long next = attemptsBegun + 1;
      while (isLogBeyondLimit() && attemptsEnded < next && isWorking()) {
        thread.wake();
        attemptEnded.awaitUninterruptibly();
      }
      if (isLogBeyondLimit() && attemptsEnded >= next && lastFailure != null && isWorking()) {
        throw new CheckpointFailedException(
            "the log has reached its limit of "
                + policy.logLimitBytes()
                + " bytes, and the checkpoint that would shorten it failed; mend the cause and"
                + " write again: "
                + lastFailure,
            lastFailure);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the store is open and has not failed. */
  boolean isWorking() {
    return !ended && commit.visible().failure() == null && !commit.tip().closed();
  }

  /** How checkpoints are getting on. */
  public CheckpointStatus status() {
    lock.lock();
    try {
      return new CheckpointStatus(
          newest.lsn(),
          completed,
          failed,
          lastFailure,
          running,
          writtenEntries,
          writtenBytes,
          directory.logBytes());
    } finally {
      lock.unlock();
    }
  }

  /** Ends the store's thread and gives up a checkpoint that is being made; none begins any more. */
  public void end() {
    ended = true;
    thread.end();
    lock.lock();
    try {
      attemptEnded.signalAll();
      while (running) {
        attemptEnded.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
