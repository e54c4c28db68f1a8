package org.overlaytrie.commit;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * The commit protocol of {@code SequencedCommit.tla}: one CAS on the tip decides both the order of
 * changes and their LSNs, and readers see only what is durable.
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
  private final Versions versions;
  private final WriteAheadLog log;
  private final ProtocolEvents events;
  private final CombiningFlush flush;

  /** Taken by the thread that closes. */
  private final Semaphore closing = new Semaphore(1);

  private volatile boolean logIsLeft;

  /**
   * Begins operations on what recovery found: {@code trie}, whose last change is the log's last
   * LSN.
   */
  public SequencedCommit(Trie trie, WriteAheadLog log, ProtocolEvents events, Parking parking) {
    this.versions = new Versions(Version.recovered(trie, log.lastLsn()));
    this.log = log;
    this.events = events;
    this.flush = new CombiningFlush(versions, log, events, parking);
  }

  /**
   * Applies {@code operation} and returns the value that its key held before it, null if none, once
   * that answer is durable.
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
  @Upholds("SequencedCommit!BatchAtomicInv")
  @Upholds("DocumentTransaction!TransactionAtomicInv")
  @Upholds("DocumentTransaction!ValidatedReadsHoldInv")
  @SuppressWarnings("ReferenceEquality") // the same operation is the same attempt
  public byte[] decide(Function<Trie, Operation> decision) {
    StackReserve.require();
    Operation invoked = null;
    while (true) {
      Version seen = versions.tip();
      Operation operation = decision.apply(seen.trie());
      if (operation != invoked) {
        invoke(operation, invoked);
        invoked = operation;
      }
      if (seen.closed()) {
        events.refuseClosed(); // RefuseClosed
        throw storeIsClosed();
      }
      byte[] previous = operation.find(seen.trie());
      Version next = seen.next(operation.decide(previous));
      if (next == seen) {
        events.observeNoOp(seen.lsn()); // ObserveNoOp
        return answer(seen.lsn(), previous);
      }
      if (versions.compareAndSetTip(seen, next)) {
        events.commitVersion(next.lsn()); // CommitVersion
        return answer(next.lsn(), previous);
      }
    }
  }

  /** Invoke, in the place of an attempt that came too late. */
  private void invoke(Operation operation, Operation outrun) {
    if (outrun != null) {
      events.withdraw(); // Withdraw
    }
    operation.tell(events); // Invoke
    requireWorking(0);
  }

  /** Answer, not before {@code lsn} is visible. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  private byte[] answer(long lsn, byte[] previous) {
    flush.awaitSettled(lsn);
    requireWorking(lsn);
    events.answer(previous);
    return previous;
  }

  /**
   * AnswerFailure, if the store has failed without {@code lsn} (or anything, for 0) becoming
   * visible.
   */
  private void requireWorking(long lsn) {
    Version visible = versions.visible();
    Throwable failure = visible.failure();
    if (failure != null && (lsn == 0 || visible.lsn() < lsn)) {
      events.answerFailure();
      throw new StoreFailedException(
          "the store failed and takes no more writes; close it, mend the cause and open it again: "
              + failure,
          failure);
    }
  }

  /** The value of {@code key} in the visible version, null if absent; shared, not to be changed. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  public byte[] read(byte[] key) {
    Version visible = requireOpen(versions.visible()); // ReadVisible
    byte[] result = visible.trie().get(key);
    events.readVisible(visible.lsn(), key, result);
    return result;
  }

  /** The content of the visible version, for reads of the whole map. */
  public Trie readAll() {
    return readVersion().trie();
  }

  /** The visible version itself, for reads that go on later. */
  @Upholds("SequencedCommit!ObservedIsDurableInv")
  public Version readVersion() {
    Version visible = requireOpen(versions.visible()); // ReadVisible
    events.readVisible(visible.lsn(), null, null);
    return visible;
  }

  /** Throws {@link IllegalStateException} if the store is closed; not a read. */
  public void requireOpen() {
    requireOpen(versions.visible());
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
