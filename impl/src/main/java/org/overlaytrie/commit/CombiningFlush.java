package org.overlaytrie.commit;

import java.util.Arrays;
import java.util.List;
import org.overlaytrie.Durability;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * Makes versions durable and visible: one thread leads, one force serves all who wait.
 *
 * <pre>
 *   waiting thread                          leader
 *   1  LSN visible? done                    1  read the tip, write its versions as frames, force
 *   2  leadership free? lead                2  make the tip visible
 *   3  push an entry on the stack           3  take the stack; let go of all whose LSN is visible
 *   4  re-check 1 and 2                     4  somebody left? promote one: it leads from here
 *   5  sleep, then 4 again                  5  nobody left: release, then re-check the tip: moved? 1
 * </pre>
 *
 * <p>No wake-up is lost. An entry pushed before step 3 is taken there. One pushed later belongs to
 * a thread whose re-check (4) either finds its LSN visible, or finds the leadership free, or
 * happens before the release (5); in the last case its version was committed before the release, so
 * that the leader's re-check finds the tip moved and flushes again. Each re-check alone is not
 * enough: {@code SequencedCommit.tla} has a negative control for either. The thread that closes the
 * store is no different: its version is the closed tip, which becomes visible like every other,
 * though there is nothing to write; the leader's re-check must not overlook it.
 *
 * <p>Where writers do not wait, a version may have nobody who waits for it, and the leader's
 * re-check looks at the stack instead of the tip: else it would go on for as long as others write.
 * Its re-check finds whoever was pushed since the drain, and whoever is pushed after the re-check
 * finds the leadership free: {@code BufferedCommit.tla}.
 */
final class CombiningFlush {
  private final Versions versions;
  private final WriteAheadLog log;
  private final ProtocolEvents events;
  private final Parking parking;
  private final boolean writersWait;
  private final Linger linger;
  private final Leadership leadership = new Leadership();
  private final WaiterStack waiters = new WaiterStack();

  /**
   * Entries taken from the stack and not let go yet. Owned by the leader, handed on with the
   * leadership.
   */
  private Waiter pending;

  /** Why the next leader is to fail the store; null if it is not. */
  private volatile Throwable doom;

  CombiningFlush(
      Versions versions,
      WriteAheadLog log,
      ProtocolEvents events,
      Parking parking,
      Durability durability) {
    this.writersWait = durability.waits();
    this.linger =
        durability.mode() == Durability.Mode.GROUP
            ? new Linger(versions, parking, durability.delay().toNanos())
            : null;
    this.versions = versions;
    this.log = log;
    this.events = events;
    this.parking = parking;
  }

  /** A version of this LSN is at the tip: a leader that lingers may have waited for it. */
  void arrived(long lsn) {
    if (linger != null) {
      linger.arrived(lsn);
    }
  }

  /**
   * The next leader fails the store instead of flushing, and this thread leads if no other does. It
   * waits for what never becomes visible, so it is let go once the store has failed or is closed. A
   * leader that did not see the cause before its flush does so after it has released the
   * leadership.
   */
  void failAtNextFlush(Throwable cause) {
    doom = cause;
    awaitSettled(ProtocolEvents.NEVER);
  }

  /** Flushes everything up to the tip, unless another thread leads; true if this one did. */
  boolean flushUnlessLed() {
    boolean leads = tryLead() > 0;
    if (leads) {
      lead();
    }
    return leads;
  }

  /**
   * Returns once {@code lsn} is visible or the store has failed, leading flushes as it falls to
   * this thread.
   */
  @Upholds("SequencedCommit!EveryWriteIsAnsweredProp")
  void awaitSettled(long lsn) {
    arrived(lsn);
    if (versions.settled(lsn)) {
      return;
    }
    if (tryLead() > 0) {
      lead();
      return;
    }
    Waiter waiter = new Waiter(Thread.currentThread(), lsn);
    waiters.push(waiter); // Enqueue
    if (sleep(waiter)) {
      lead();
    }
    waiter.rethrow();
  }

  /** Waits; true if the caller leads now, false if its LSN is visible or the store has failed. */
  private boolean sleep(Waiter waiter) {
    boolean interrupted =
        false; // parking returns at once while the flag is set: keep it for the caller
    Waiter.State state = look(waiter, true);
    while (state == Waiter.State.WAITING) {
      interrupted |= Thread.interrupted();
      state = look(waiter, false);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state == Waiter.State.PROMOTED;
  }

  /**
   * What a waiter finds, by itself or from the leader, before or after one sleep. The leader may
   * promote it at any time, so whatever is thrown here must wait as long as the waiter does.
   */
  private Waiter.State look(Waiter waiter, boolean pushed) {
    try {
      if (pushed) {
        events.enqueue(waiter.lsn);
      }
      if (waiter.state() != Waiter.State.WAITING) {
        return waiter.state();
      }
      Version visible = versions.visible(); // RecheckVisible
      if (visible.settles(waiter.lsn)) {
        return Waiter.State.SERVED;
      }
      events.recheckVisible(visible.lsn());
      long term = tryLead();
      if (term > 0) {
        return Waiter.State.PROMOTED;
      }
      events.park(-term); // Park
      parking.park(this);
    } catch (RuntimeException | Error thrown) {
      waiter.keep(thrown);
    }
    return Waiter.State.WAITING;
  }

  /**
   * BecomeLeader; as {@link Leadership#tryAcquire}. Never ends with a leadership that is nobody's.
   */
  private long tryLead() {
    long term = leadership.tryAcquire();
    if (term > 0) {
      try {
        events.becomeLeader(term);
      } catch (Throwable failure) {
        fail(failure);
        return -term;
      }
    }
    return term;
  }

  /**
   * Flushes until the leadership is somebody else's or nobody's. Whatever goes wrong fails the
   * store.
   */
  private void lead() {
    try {
      do {
        if (doom != null) {
          fail(doom);
          return;
        }
        flush();
        letGoOfServed();
      } while (!passOn());
    } catch (Throwable failure) { // an Error too: nobody may wait for a leader that is gone
      fail(failure);
    }
  }

  /** One flush of everything up to the tip. */
  @Upholds("SequencedCommit!VisibleIsDurableInv")
  private void flush() throws Exception {
    if (linger != null) {
      linger.await();
    }
    Version end = versions.tip(); // CollectBatch
    events.collectBatch(end.settledLsn());
    Version start = versions.visible();
    if (end.lsn() > start.lsn()) {
      log.append(start.lsn() + 1, collect(start, end)); // WriteFrame, once or more
      log.force(); // ForceLog
    }
    if (end.settledLsn() > start.settledLsn()) {
      versions.makeVisible(end); // MakeVisible
      events.makeVisible(end.settledLsn());
      end.cut();
    }
    if (linger != null) {
      linger.flushed();
    }
  }

  /** The records after {@code start} up to {@code end}, in the order of their LSNs. */
  @Upholds("SequencedCommit!CommitOrderIsLogOrderInv")
  private static List<LogRecord> collect(Version start, Version end) {
    LogRecord[] records = new LogRecord[Math.toIntExact(end.lsn() - start.lsn())];
    Version version = end;
    for (int i = records.length - 1; i >= 0; i--) {
      records[i] = version.record();
      version = version.previous();
    }
    return Arrays.asList(records);
  }

  /** Lets go of everybody whose LSN is visible; the others stay in {@link #pending}. */
  private void letGoOfServed() {
    drain(); // DrainWaiters
    long visible = versions.visible().settledLsn();
    Waiter unserved = null; // the last one that stays; all stay linked that are not let go yet
    for (Waiter waiter = pending; waiter != null; ) {
      Waiter next = waiter.next;
      if (linger != null) {
        linger.waiting();
      }
      if (waiter.lsn <= visible) {
        events.wakeServed(waiter.thread.getId(), waiter.lsn); // WakeServed
        letGo(waiter, Waiter.State.SERVED);
        linkPending(unserved, next);
      } else {
        unserved = waiter;
      }
      waiter = next;
    }
  }

  /** Lets {@code next} follow {@code before} in the list of those pending, or begin it for null. */
  private void linkPending(Waiter before, Waiter next) {
    if (before == null) {
      pending = next;
    } else {
      before.next = next;
    }
  }

  /** True if this thread leads no longer. */
  @Upholds("SequencedCommit!EveryWriteIsAnsweredProp")
  @Upholds("SequencedCommit!VisibleAdvancesProp")
  private boolean passOn() {
    Waiter successor = firstPending();
    if (successor != null) {
      long term = leadership.handOver(); // HandOver
      events.handOver(successor.thread.getId(), successor.lsn, term);
      removePending(successor); // not before: should this fail, it must be let go like the others
      letGo(successor, Waiter.State.PROMOTED);
      return true;
    }
    long term = leadership.release(); // ReleaseLeadership
    try {
      events.releaseLeadership(term);
      boolean again = (writersWait ? tipHasMoved() : somebodyWaits()) || doom != null;
      return !again || tryLead() < 0;
    } catch (Throwable failure) {
      if (leadership.tryAcquire() < 0) {
        return true; // only who leads may fail the store, and who leads now serves all who wait
      }
      throw failure;
    }
  }

  private boolean tipHasMoved() {
    Version tip = versions.tip(); // RecheckTip
    events.recheckTip(tip.settledLsn());
    return tip.settledLsn() > versions.visible().settledLsn();
  }

  @Upholds("BufferedCommit!EverySyncIsAnsweredProp")
  private boolean somebodyWaits() {
    boolean somebodyWaits = !waiters.isEmpty(); // RecheckStack
    events.recheckStack(somebodyWaits);
    return somebodyWaits;
  }

  /** The pending entry with the smallest LSN, null if there is none. */
  private Waiter firstPending() {
    Waiter first = pending;
    for (Waiter waiter = pending; waiter != null; waiter = waiter.next) {
      if (waiter.lsn < first.lsn) {
        first = waiter;
      }
    }
    return first;
  }

  private void removePending(Waiter removed) {
    Waiter before = null;
    for (Waiter waiter = pending; waiter != removed; waiter = waiter.next) {
      before = waiter;
    }
    linkPending(before, removed.next);
  }

  /**
   * FailStore: nothing becomes visible from here on, everybody is let go, and the leadership stays
   * taken, so that the log is never touched again. Allocates nothing.
   */
  @Upholds("SequencedCommit!FailedAcknowledgesNothingInv")
  private void fail(Throwable failure) {
    versions.visible().fail(failure);
    try {
      try {
        events.failStore();
      } finally {
        drain();
      }
    } catch (Throwable again) {
      // Of the observer. The store has failed already, and nobody may sleep on for that.
    }
    for (Waiter waiter = pending; waiter != null; ) {
      Waiter next = waiter.next;
      letGo(waiter, Waiter.State.SERVED);
      waiter = next;
    }
    pending = null;
  }

  /** Takes the stack and puts its entries in front of those pending. */
  private void drain() {
    Waiter drained = waiters.drain();
    try {
      if (events != ProtocolEvents.NONE) {
        reportDrained(drained);
      }
    } finally {
      while (drained != null) {
        Waiter next = drained.next;
        drained.next = pending;
        pending = drained;
        drained = next;
      }
    }
  }

  private void reportDrained(Waiter drained) {
    int count = 0;
    for (Waiter waiter = drained; waiter != null; waiter = waiter.next) {
      count++;
    }
    long[] threads = new long[count];
    long[] lsns = new long[count];
    int i = 0;
    for (Waiter waiter = drained; waiter != null; waiter = waiter.next) {
      threads[i] = waiter.thread.getId();
      lsns[i++] = waiter.lsn;
    }
    events.drainWaiters(threads, lsns);
  }

  private void letGo(Waiter waiter, Waiter.State state) {
    Thread thread = waiter.thread;
    waiter.release(
        state); // from here on the entry, and with PROMOTED the leadership, is the other thread's
    parking.unpark(thread);
  }
}
