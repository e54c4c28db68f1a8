package org.overlaytrie.spec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.overlaytrie.commit.Version;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.wal.LogRecord;

/**
 * One runnable check per state invariant of {@code SequencedCommit.tla}, under the invariant's
 * name. Each throws an {@link AssertionError} that names the invariant and what is wrong.
 *
 * <p>Three things are compared: what {@link Observations} saw happen since the store was created,
 * the visible version of the store (running, failed, or just recovered), and what recovery finds if
 * the process ends now. They must be of one moment: no operation may be under way.
 */
public final class Invariants {

  private Invariants() {}

  /** Runs every check. */
  public static void check(Observations observations, Version visible, Recoverable found) {
    visibleIsDurableInv(visible, found);
    answeredIsVisibleInv(observations, visible);
    observedIsDurableInv(observations, found);
    commitOrderIsLogOrderInv(observations, found);
    recoveredIsPrefixInv(observations, visible);
    noLostWriteInv(observations, found);
    noInventedWriteInv(observations, found);
    batchAtomicInv(observations, visible);
    failedAcknowledgesNothingInv(observations, visible);
    staleTailNeverReplaysInv(observations, found);
    completedIsVisibleInv(observations, visible);
    syncedIsDurableInv(observations, found);
  }

  /** All that readers can see comes back after a crash. */
  public static void visibleIsDurableInv(Version visible, Recoverable found) {
    require(
        visible.lsn() <= found.lastLsn(),
        () ->
            "VisibleIsDurableInv: LSN "
                + visible.lsn()
                + " is visible, and recovery finds "
                + found.lastLsn());
    require(
        found.checkpointLsn() <= visible.lsn(),
        () ->
            "VisibleIsDurableInv: the image holds LSN "
                + found.checkpointLsn()
                + ", and "
                + visible.lsn()
                + " is visible");
    requireSameContent(
        "VisibleIsDurableInv: image and log do not lead to the visible version",
        visible.trie(),
        found.image(),
        found.records().subList(0, Math.toIntExact(visible.lsn() - found.checkpointLsn())));
  }

  /** Whatever the answer of a write depends on can be seen by readers. */
  public static void answeredIsVisibleInv(Observations observations, Version visible) {
    require(
        observations.answered() <= visible.lsn(),
        () ->
            "AnsweredIsVisibleInv: an answer depends on LSN "
                + observations.answered()
                + ", and "
                + visible.lsn()
                + " is visible");
  }

  /** Whatever a stage was completed for can be seen by readers. */
  public static void completedIsVisibleInv(Observations observations, Version visible) {
    require(
        observations.answered() <= visible.lsn(),
        () ->
            "CompletedIsVisibleInv: a stage or an answer depends on LSN "
                + observations.answered()
                + ", and "
                + visible.lsn()
                + " is visible");
  }

  /** Whatever a sync was answered for comes back after a crash. */
  public static void syncedIsDurableInv(Observations observations, Recoverable found) {
    require(
        observations.answered() <= found.lastLsn(),
        () ->
            "SyncedIsDurableInv: a sync covered LSN "
                + observations.answered()
                + ", and recovery finds "
                + found.lastLsn());
  }

  /** Whatever a reader saw comes back after a crash. */
  public static void observedIsDurableInv(Observations observations, Recoverable found) {
    require(
        observations.observed() <= found.lastLsn(),
        () ->
            "ObservedIsDurableInv: a reader saw LSN "
                + observations.observed()
                + ", and recovery finds "
                + found.lastLsn());
  }

  /** The log holds, under each LSN, the change that the commit gave this LSN. */
  public static void commitOrderIsLogOrderInv(Observations observations, Recoverable found) {
    for (long each = found.checkpointLsn() + 1; each <= found.lastLsn(); each++) {
      long lsn = each;
      require(
          isSameChange(found.record(lsn), observations.committed().get(lsn)),
          () ->
              "CommitOrderIsLogOrderInv: the log holds another change than was committed as LSN "
                  + lsn);
    }
  }

  /** What the store shows is what the first changes, in the order of their commits, lead to. */
  public static void recoveredIsPrefixInv(Observations observations, Version recovered) {
    Map<Long, LogRecord> prefix = observations.committed().headMap(recovered.lsn(), true);
    require(
        prefix.size() == recovered.lsn(),
        () ->
            "RecoveredIsPrefixInv: "
                + prefix.size()
                + " changes were committed up to LSN "
                + recovered.lsn());
    requireSameContent(
        "RecoveredIsPrefixInv: the content is not what these changes lead to",
        recovered.trie(),
        Trie.EMPTY,
        prefix.values());
  }

  /** Whatever was acknowledged comes back after a crash. */
  public static void noLostWriteInv(Observations observations, Recoverable found) {
    require(
        observations.answered() <= found.lastLsn(),
        () ->
            "NoLostWriteInv: LSN "
                + observations.answered()
                + " was acknowledged, and recovery finds "
                + found.lastLsn());
  }

  /** The log holds nothing that nobody asked for. */
  public static void noInventedWriteInv(Observations observations, Recoverable found) {
    Set<ByteBuffer> asked = new HashSet<>();
    observations.invoked().forEach(change -> asked.add(content(change)));
    for (long each = found.checkpointLsn() + 1; each <= found.lastLsn(); each++) {
      long lsn = each;
      require(
          asked.contains(content(found.record(lsn))),
          () -> "NoInventedWriteInv: nobody asked for the change with LSN " + lsn);
    }
  }

  /** Readers see all writes of a batch, but for keys that a later change wrote. */
  public static void batchAtomicInv(Observations observations, Version visible) {
    Map<ByteBuffer, LogRecord> writers = new HashMap<>();
    Trie expected = Trie.EMPTY;
    for (LogRecord change : observations.committed().headMap(visible.lsn(), true).values()) {
      for (LogRecord.Write write : writes(change)) {
        keysOf(write, expected).forEach(key -> writers.put(key, change));
        expected = after(write, expected);
      }
    }
    for (Map.Entry<ByteBuffer, LogRecord> last : writers.entrySet()) {
      byte[] key = last.getKey().array();
      require(
          writes(last.getValue()).size() == 1
              || Arrays.equals(expected.get(key), visible.trie().get(key)),
          () -> "BatchAtomicInv: readers see a part of a batch, and not what it wrote last");
    }
  }

  /** Once the store has failed nothing becomes visible, and nothing is acknowledged. */
  public static void failedAcknowledgesNothingInv(Observations observations, Version visible) {
    long atFailure = observations.visibleAtFailure();
    require(
        atFailure == Observations.NOT_FAILED
            || (visible.lsn() == atFailure && observations.answered() <= atFailure),
        () ->
            "FailedAcknowledgesNothingInv: failed at LSN "
                + atFailure
                + "; "
                + visible.lsn()
                + " is visible, "
                + observations.answered()
                + " acknowledged");
  }

  /** No change that a crash took is in the log again, where its LSN is another change's now. */
  public static void staleTailNeverReplaysInv(Observations observations, Recoverable found) {
    for (Map.Entry<Long, LogRecord> lost : observations.discarded()) {
      long lsn = lost.getKey();
      LogRecord change = found.record(lsn);
      if (change != null) {
        require(
            !isSameChange(change, lost.getValue())
                || isSameChange(change, observations.committed().get(lsn)),
            () ->
                "StaleTailNeverReplaysInv: the log holds the change that was LSN "
                    + lsn
                    + " in an earlier life");
      }
    }
  }

  private static boolean isSameChange(LogRecord found, LogRecord expected) {
    return expected != null && content(found).equals(content(expected));
  }

  private static ByteBuffer content(LogRecord change) {
    ByteBuffer content = ByteBuffer.allocate(change.encodedBytes());
    change.encode(content);
    return content.flip();
  }

  private static void requireSameContent(
      String message, Trie trie, Trie base, Iterable<LogRecord> changes) {
    Trie expected = base;
    for (LogRecord change : changes) {
      for (LogRecord.Write write : writes(change)) {
        expected = after(write, expected);
      }
    }
    require(expected.size() == trie.size(), () -> message);
    TrieCursor found = trie.cursor();
    TrieCursor wanted = expected.cursor();
    while (wanted.next()) {
      require(
          found.next()
              && Arrays.equals(found.key(), wanted.key())
              && Arrays.equals(found.value(), wanted.value()),
          () -> message);
    }
  }

  private static List<LogRecord.Write> writes(LogRecord change) {
    if (change instanceof LogRecord.Difference difference) {
      return difference.toBatch().writes();
    }
    return change instanceof LogRecord.Batch batch
        ? batch.writes()
        : List.of((LogRecord.Write) change);
  }

  /** The keys that a write changes in {@code trie}. */
  private static List<ByteBuffer> keysOf(LogRecord.Write write, Trie trie) {
    if (write instanceof LogRecord.Put put) {
      return List.of(ByteBuffer.wrap(put.key()));
    } else if (write instanceof LogRecord.Remove remove) {
      return List.of(ByteBuffer.wrap(remove.key()));
    }
    LogRecord.RemoveRange range = (LogRecord.RemoveRange) write;
    List<ByteBuffer> keys = new ArrayList<>();
    TrieCursor cursor = trie.cursor();
    for (boolean in = cursor.seek(range.from()); in; in = cursor.next()) {
      if (range.to() != null && Arrays.compareUnsigned(cursor.key(), range.to()) >= 0) {
        break;
      }
      keys.add(ByteBuffer.wrap(cursor.key()));
    }
    return keys;
  }

  /** Not by {@link LogRecord#applyTo}, which is among what is checked. */
  private static Trie after(LogRecord.Write write, Trie trie) {
    if (write instanceof LogRecord.Put put) {
      return trie.put(put.key(), put.value());
    } else if (write instanceof LogRecord.Remove remove) {
      return trie.remove(remove.key());
    }
    LogRecord.RemoveRange range = (LogRecord.RemoveRange) write;
    return trie.removeRange(range.from(), range.to());
  }

  private static void require(boolean holds, Supplier<String> problem) {
    if (!holds) {
      throw new AssertionError(problem.get());
    }
  }
}
