package org.overlaytrie.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.overlaytrie.wal.LogRecord;

/**
 * Remembers, from the first open of an empty store on and across its crashes, what {@link
 * Invariants} compares the store with: what was asked for, what was committed, and what callers
 * were told. Keeps every change that was ever asked for in memory.
 *
 * <p>Safe for use by several threads, without locks. Its methods besides the events are for one
 * thread at a time, while no operation is under way.
 */
public final class Observations implements ProtocolEvents {

  /** What the operation that each thread is in, or was in last, asked for and depends on. */
  private final Map<Long, LogRecord> asked = new ConcurrentSkipListMap<>();

  private final Map<Long, Long> dependsOn = new ConcurrentSkipListMap<>();

  /** What stages depend on that are not complete. */
  private final Map<Long, Long> stages = new ConcurrentSkipListMap<>();

  private final Queue<LogRecord> invoked = new ConcurrentLinkedQueue<>();
  private final NavigableMap<Long, LogRecord> committed = new ConcurrentSkipListMap<>();
  private final List<Map.Entry<Long, LogRecord>> discarded = new ArrayList<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong observed = new AtomicLong();
  private final AtomicLong visible = new AtomicLong();
  private volatile long visibleAtFailure = NOT_FAILED;

  /** Stands for the LSN at which a store failed that has not failed. */
  static final long NOT_FAILED = -1;

  /** Nothing has happened yet. */
  public Observations() {}

  @Override
  public void invoke(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    invokeBatch(value == null ? new LogRecord.Remove(key) : new LogRecord.Put(key, value));
  }

  @Override
  public void invokeBatch(LogRecord change) {
    invoked.add(change);
    asked.put(thread(), change);
  }

  @Override
  public void commitVersion(long lsn) {
    committed.put(lsn, asked.get(thread()));
    dependsOn.put(thread(), lsn);
  }

  @Override
  public void observeNoOp(long lsn) {
    dependsOn.put(thread(), lsn);
  }

  @Override
  public void answer(byte[] previous) {
    answered.accumulateAndGet(dependsOn.get(thread()), Math::max);
  }

  @Override
  public void requestSync(long lsn) {
    dependsOn.put(thread(), lsn);
  }

  @Override
  public void leaveStage(long stage) {
    stages.put(stage, dependsOn.get(thread()));
  }

  @Override
  public void completeStage(long stage, byte[] previous) {
    answered.accumulateAndGet(stages.remove(stage), Math::max);
  }

  @Override
  public void readVisible(long lsn, byte[] key, byte[] result) {
    observed.accumulateAndGet(lsn, Math::max);
  }

  @Override
  public void makeVisible(long lsn) {
    visible.accumulateAndGet(lsn == NEVER ? lastCommitted() : lsn, Math::max);
  }

  @Override
  public void failStore() {
    visibleAtFailure = visible.get();
  }

  /** What recovery did not find is no longer part of the history; its LSNs are given again. */
  @Override
  public void finishRecovery(long lastLsn) {
    NavigableMap<Long, LogRecord> lost = committed.tailMap(lastLsn, false);
    discarded.addAll(lost.entrySet());
    lost.clear();
    visible.set(lastLsn);
    visibleAtFailure = NOT_FAILED;
  }

  private long lastCommitted() {
    return committed.isEmpty() ? 0 : committed.lastKey();
  }

  private static long thread() {
    return Thread.currentThread().getId();
  }

  /** The changes asked for, whether they took effect or not. */
  Iterable<LogRecord> invoked() {
    return invoked;
  }

  /** The changes in commit order, by LSN. */
  NavigableMap<Long, LogRecord> committed() {
    return committed;
  }

  /** The changes that a crash took, by the LSN that they had; one LSN may occur several times. */
  List<Map.Entry<Long, LogRecord>> discarded() {
    return discarded;
  }

  /** The largest LSN that the answer of a write depends on. */
  long answered() {
    return answered.get();
  }

  /** The largest LSN that the answer of a read depends on. */
  long observed() {
    return observed.get();
  }

  /** The LSN that was visible when the store failed, or {@link #NOT_FAILED}. */
  long visibleAtFailure() {
    return visibleAtFailure;
  }
}
