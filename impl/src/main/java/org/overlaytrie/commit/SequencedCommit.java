package org.overlaytrie.commit;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.overlaytrie.Durability;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * The commit protocol of {@code SequencedCommit.tla}: one CAS on the tip decides both the order of
 * changes and their LSNs, and readers see only what is durable.
 *
 * <p>With a durability that does not wait, it is that of {@code BufferedCommit.tla}: a write is
 * answered after its CAS, unless too much is not durable yet, readers see the tip, and only {@link
 * #sync} waits.
 *
 * <pre>
 *   write:  decide on the tip -&gt; CAS the tip -&gt; wait until that LSN is visible -&gt; answer
 *   read:   take the visible version -&gt; answer from it
 * </pre>
 *
 * <p>All methods may be called by any number of threads. Reads never wait. A write waits for one
 * force that it may share with others, and an operation that changes nothing waits until the
 * version that it looked at is visible, because its answer depends on it.
 */
public final class SequencedCommit {

  /**
   * How many changes may be committed and not durable where writers do not wait, and how many bytes
   * of their records. Each keeps what it replaced in memory. At half of either, a writer flushes
   * unless another does; at all of it, all wait.
   */
  private static final long MAX_UNFORCED_CHANGES = 1 << 14;

  private static final long MAX_UNFORCED_BYTES = 1 << 23;

  private final Versions versions;
  private final WriteAheadLog log;
  private final ProtocolEvents events;
  private final CombiningFlush flush;
  private final boolean writersWait;
  private final AsyncWrites async;
  private final PeriodicForce periodicForce;

  /** Taken by the thread that closes. */
  private final Semaphore closing = new Semaphore(1);

  private volatile boolean logIsLeft;

  /**
   * Begins operations on what recovery found: {@code trie}, whose last change is the log's last
   * LSN.
   */
  public SequencedCommit(
      Trie trie,
      WriteAheadLog log,
      ProtocolEvents events,
      Parking parking,
      Durability durability,
      int asyncLimit) {
    this.versions = new Versions(Version.recovered(trie, log.lastLsn()));
    this.log = log;
    this.events = events;
    this.flush = new CombiningFlush(versions, log, events, parking, durability);
    this.writersWait = durability.waits();
    this.async = new AsyncWrites(this, events, parking, asyncLimit);
    this.periodicForce =
        durability.mode() == Durability.Mode.PERIODIC
            ? new PeriodicForce(this, parking, durability.delay().toNanos())
            : null;
  }

  /** Starts the thread that a periodic durability needs; to be called once. */
  public void start() {
    if (periodicForce != null) {
      periodicForce.start();
    }
  }

  /**
   * Applies {@code operation} and returns the value that its key held before it, null if none, once
   * that answer is durable, or at once if the store's durability says so.
   *
   * @throws StoreFailedException if the store has failed; whether the operation took effect shows
   *     after the next open
   * @throws IllegalStateException if the store is closed
   * @throws StackOverflowError if too little of the stack is left; nothing has happened then
   */
  @Upholds("SequencedCommit!AnsweredIsVisibleInv")
  public byte[] write(Operation operation) {
    return decide(tip -> operation);
  }

  /**
   * The same for an operation that {@code decision} computes from what it is to change: it is given
   * the newest content, maybe not durable yet, and called again if that changes meanwhile, until
   * what it said is done. It must not throw. Nothing that it was shown may reach anybody before
   * this returns: only then is it durable.
   */
  public byte[] decide(Decider decision) {
    if (writersWait) {
      StackReserve.require();
    } else {
      StackReserve.requireForAnswer();
    }
    Committed done = commit(decision);
    if (writersWait) {
      return answer(done);
    }
    boolean settled = done.changed ? pushBack(done.version) : hasFailed();
    return settled ? answerForced(done) : answerUnforced(done);
  }

  /**
   * The same for a caller that does not wait. {@code result} says, once the operation was decided,
   * what to complete the stage with, or throws what to complete it with. Should the store fail, the
   * stage is completed with a {@link StoreFailedException}.
   */
  public <T> CompletionStage<T> decideLater(Decider decision, Supplier<T> result) {
    requireOpen();
    if (!writersWait) {
      return decideNow(decision, result);
    }
    StackReserve.require();
    AsyncWrites.Stage<T> stage = async.begin(result);
    try {
      Committed done = commit(decision);
      flush.arrived(done.version.lsn());
      if (done.changed) {
        pushBack(done.version);
      }
      async.leave(stage, done.version.lsn(), done.previous);
    } catch (StoreFailedException failure) {
      async.drop(stage);
      return CompletableFuture.failedStage(failure);
    } catch (Throwable failure) {
      async.drop(stage);
      throw failure;
    }
    return stage.future();
  }

  private <T> CompletionStage<T> decideNow(Decider decision, Supplier<T> result) {
    try {
      decide(decision);
    } catch (StoreFailedException failure) {
      return CompletableFuture.failedStage(failure);
    }
    return AsyncWrites.completed(result);
  }

  /** What a decision came to: the version that it made, or that it found nothing to change in. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  private record Committed(Version version, byte[] previous, boolean changed) {}

  /**
   * CommitVersion or ObserveNoOp, whatever it takes. Where writers wait, the caller has made sure
   * that there is room on the stack for a flush; otherwise it is looked for if it will be needed.
   */
  @Upholds("SequencedCommit!BatchAtomicInv")
  @Upholds("DocumentTransaction!TransactionAtomicInv")
  @Upholds("DocumentTransaction!ValidatedReadsHoldInv")
  @SuppressWarnings("ReferenceEquality") // the same operation is the same attempt
  private Committed commit(Decider decision) {
    boolean reserved = writersWait;
    Operation invoked = null;
    while (true) {
      Version seen = versions.tip();
      Operation operation = decision.decide(seen.trie());
      if (operation != invoked) {
        invoke(operation, invoked);
        invoked = operation;
      }
      if (seen.closed()) {
        events.refuseClosed(); // RefuseClosed
        throw storeIsClosed();
      }
      byte[] previous;
      Version next;
      try {
        previous = decision.found(operation, seen.trie());
        next = seen.next(operation.decide(previous));
      } catch (RuntimeException | Error unreadable) { // a node that had to be loaded, or memory
        events.withdraw(); // Withdraw
        throw unreadable;
      }
      if (next == seen) {
        events.observeNoOp(seen.lsn()); // ObserveNoOp
        return new Committed(seen, previous, false);
      }
      if (!reserved && isUnforced(next, 2)) {
        reserveOrWithdraw();
        reserved = true;
      }
      if (versions.compareAndSetTip(seen, next)) {
        events.commitVersion(next.lsn()); // CommitVersion
        return new Committed(next, previous, true);
      }
    }
  }

  private void reserveOrWithdraw() {
    try {
      StackReserve.require();
    } catch (StackOverflowError e) {
      events.withdraw(); // Withdraw
      throw e;
    }
  }

  /** Whether what is not durable is the given part of what may be so, up to {@code version}. */
  private boolean isUnforced(Version version, int divisor) {
    Version visible = versions.visible();
    return version.lsn() - visible.lsn() >= MAX_UNFORCED_CHANGES / divisor
        || version.recordBytes() - visible.recordBytes() >= MAX_UNFORCED_BYTES / divisor;
  }

  /**
   * Flushes, or waits for the flush of another, if too much is unforced; true if it did. The store
   * may have failed then.
   */
  @Upholds("BufferedCommit!UnforcedIsBoundedInv")
  private boolean pushBack(Version version) {
    if (hasFailed()) {
      return true;
    }
    if (!isUnforced(version, 2)) {
      return false;
    }
    if (!isUnforced(version, 1)) {
      return flush.flushUnlessLed();
    }
    flush.awaitSettled(version.lsn());
    return true;
  }

  private boolean hasFailed() {
    return versions.visible().failure() != null;
  }

  /**
   * Waits until everything that was committed before this call is durable.
   *
   * @throws StoreFailedException if the store fails before it is, or had failed
   * @throws IllegalStateException if the store is closed
   * @throws StackOverflowError as {@link #write}
   */
  @Upholds("BufferedCommit!SyncedIsDurableInv")
  public void sync() {
    StackReserve.require();
    await(requireOpen(versions.tip()).lsn());
  }

  /** The same for a caller that does not wait. */
  public CompletionStage<Void> syncLater() {
    requireOpen();
    StackReserve.require();
    AsyncWrites.Stage<Void> stage = async.begin(() -> null);
    try {
      long lsn = requireOpen(versions.tip()).lsn();
      events.requestSync(lsn); // RequestSync
      async.leave(stage, lsn, null);
    } catch (Throwable failure) {
      async.drop(stage);
      throw failure;
    }
    return stage.future();
  }

  /** Waits in the place of the caller that left a stage. */
  void awaitForStage(long lsn) {
    if (versions.visible().lsn() < lsn) {
      await(lsn);
    }
  }

  private void await(long lsn) {
    events.requestSync(lsn); // RequestSync
    flush.awaitSettled(lsn);
    requireWorking(lsn);
    events.answer(null);
  }

  /** Invoke, in the place of an attempt that came too late. */
  private void invoke(Operation operation, Operation outrun) {
    if (outrun != null) {
      events.withdraw(); // Withdraw
    }
    operation.tell(events); // Invoke
    requireWorking(Long.MAX_VALUE);
  }

  /** Answer, not before the version is visible. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  private byte[] answer(Committed done) {
    flush.awaitSettled(done.version.lsn());
    return answerForced(done);
  }

  private byte[] answerForced(Committed done) {
    requireWorking(done.version.lsn());
    events.answer(done.previous);
    return done.previous;
  }

  /** AnswerUnforced. */
  private byte[] answerUnforced(Committed done) {
    events.answerUnforced(done.previous);
    return done.previous;
  }

  /**
   * AnswerFailure, if the store has failed without {@code lsn} becoming visible; {@code
   * Long.MAX_VALUE} never does.
   */
  private void requireWorking(long lsn) {
    Version visible = versions.visible();
    Throwable failure = visible.failure();
    if (failure != null && visible.lsn() < lsn) {
      events.answerFailure();
      throw new StoreFailedException(
          "the store failed and takes no more writes; close it, mend the cause and open it again: "
              + failure,
          failure);
    }
  }

  /**
   * Makes the store fail because of something that went wrong outside of the log, unless it has
   * failed or is closed. Waits for a flush that is under way.
   */
  public void fail(Throwable cause) {
    events.requestSync(ProtocolEvents.NEVER); // RequestSync, of what never comes
    flush.failAtNextFlush(cause);
  }

  /** The value of {@code key} for readers, null if absent; shared, not to be changed. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  public byte[] read(byte[] key) {
    Version version = requireOpen(readable());
    byte[] result = version.trie().get(key);
    tellRead(version.lsn(), key, result);
    return result;
  }

  /** The content for reads of the whole map. */
  public Trie readAll() {
    return readVersion().trie();
  }

  /** The version itself, for reads that go on later. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  public Version readVersion() {
    Version version = requireOpen(readable());
    tellRead(version.lsn(), null, null);
    return version;
  }

  /** What readers see: ReadVisible, or ReadTip if writers do not wait. */
  @Upholds("BufferedCommit!RefinesBufferedDurableMapProp")
  private Version readable() {
    return writersWait ? versions.visible() : versions.tip();
  }

  private void tellRead(long lsn, byte[] key, byte[] result) {
    if (writersWait) {
      events.readVisible(lsn, key, result);
    } else {
      events.readTip(lsn, key, result);
    }
  }

  /** Throws {@link IllegalStateException} if the store is closed; not a read. */
  public void requireOpen() {
    requireOpen(readable());
  }

  private static Version requireOpen(Version version) {
    if (version.closed()) {
      throw storeIsClosed();
    }
    return version;
  }

  private static IllegalStateException storeIsClosed() {
    return new IllegalStateException("the store is closed");
  }

  /**
   * Waits for the writes under way, refuses later ones and closes the log. Idempotent: a second
   * call waits for the first, and takes over should an {@link Error} have ended that halfway. Reads
   * go on until the last write is visible.
   *
   * <p>Behind the closed version comes no other: once it is visible no leader touches the log any
   * more, and it is this thread's. The same holds once the store has failed.
   *
   * @throws IOException if the log could not be closed; what was acknowledged is durable all the
   *     same
   * @throws StoreFailedException if writes do not wait and some that have returned could not be
   *     made durable; the log is closed all the same
   * @throws StackOverflowError if too little of the stack is left; nothing has happened then
   */
  public void close() throws IOException {
    StackReserve.require();
    if (!closing.tryAcquire()) {
      closing.acquireUninterruptibly();
    }
    try {
      if (!logIsLeft) {
        closeTip();
        flush.awaitSettled(ProtocolEvents.NEVER);
        leaveLog();
      }
    } finally {
      closing.release();
      async.wake();
      if (periodicForce != null) {
        periodicForce.end();
      }
    }
  }

  private void closeTip() {
    Version last = versions.tip();
    while (!last.closed()) {
      if (versions.compareAndSetTip(last, last.close())) {
        events.closeTip(last.lsn()); // CloseTip
        return;
      }
      last = versions.tip();
    }
  }

  private void leaveLog() throws IOException {
    Version visible = versions.visible();
    long lost = visible.closed() || writersWait ? 0 : versions.tip().lsn() - visible.lsn();
    Version end = visible.closed() ? visible : visible.close();
    logIsLeft = true;
    try {
      if (visible.closed()) {
        log.close(); // WriteClose, ForceLog
      } else {
        versions.makeVisible(end); // the store has failed
        log.abandon();
      }
    } finally {
      events.closeLog(); // CloseLog
    }
    if (lost > 0) {
      throw new StoreFailedException(
          "the store failed before its last "
              + lost
              + " changes were durable; which of them are there shows when it is opened again: "
              + visible.failure(),
          visible.failure());
    }
  }

  /**
   * Whether the log is written no more, by any thread: only then may somebody else have it. False
   * after {@link #close} only if an {@link Error} ended that too early.
   */
  public boolean isLogLeft() {
    return logIsLeft;
  }

  /** The newest version, maybe not durable yet; for the checks of the invariants. */
  public Version tip() {
    return versions.tip();
  }

  /** The newest version that readers see; for the checks of the invariants. */
  public Version visible() {
    return versions.visible();
  }
}
