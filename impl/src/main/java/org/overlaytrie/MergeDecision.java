package org.overlaytrie;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieDiff;
import org.overlaytrie.wal.LogRecord;

/**
 * Puts the entries of another trie into the map, as one change, decided on each content that it is
 * shown. The first is merged with the other trie as a whole; of a later one only the keys are
 * looked at that were written in between. So however large the other trie is, attempts after a lost
 * CAS soon take no longer than a few single writes.
 *
 * <pre>
 *   content  t1 ------&gt; merged with theirs: m1      the CAS from t1 to m1 loses to t2
 *            t2 ------&gt; m1, but for what differs
 *                       between t1 and t2: m2       and so on
 * </pre>
 *
 * <p>The change is the {@link LogRecord.Difference} of the two; if there is none, nothing is
 * written. For one thread, and to be decided once.
 */
final class MergeDecision implements Decider {
  private static final Operation NOTHING = Operation.batch(new LogRecord.Batch(List.of()));

  private final Trie theirs;
  private final BinaryOperator<byte[]> resolver;
  private final boolean parallel;

  /** The content that it was shown last; null before the first, and after a failure. */
  private Trie mine;

  /** What becomes of that content. */
  private Trie merged;

  private long writes;
  private long writtenBytes;

  /** What the resolver threw first, in whichever thread. */
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * Decides nothing yet.
   *
   * @param resolver makes a value of the map's and the other's where they differ, null to remove
   *     the key; several threads may call it at a time if {@code parallel}
   */
  MergeDecision(Trie theirs, BinaryOperator<byte[]> resolver, boolean parallel) {
    this.theirs = theirs;
    this.resolver = resolver;
    this.parallel = parallel;
  }

  /** Nothing, if the resolver throws or the change is too large for one record. */
  @Override
  public Operation decide(Trie tip) {
    try {
      if (mine == null) {
        mergeAll(tip);
      } else {
        mergeChanged(mine.diff(tip));
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      mine = null;
      return NOTHING;
    }
    mine = tip;
    return writes == 0 || isTooLarge()
        ? NOTHING
        : Operation.batch(new LogRecord.Difference(mine, merged, (int) writes, (int) writtenBytes));
  }

  private void mergeAll(Trie tip) {
    merged =
        parallel ? tip.mergeInParallel(theirs, this::resolve) : tip.merge(theirs, this::resolve);
    for (TrieDiff diff = tip.diff(merged); !isTooLarge() && diff.next(); ) {
      writes++;
      writtenBytes += LogRecord.Difference.encodedBytes(diff.keyLength(), diff.after());
    }
  }

  private void mergeChanged(TrieDiff since) {
    while (since.next()) {
      byte[] key = since.key();
      count(key, since.before(), merged.get(key), -1);
      byte[] value = both(since.after(), theirs.get(key));
      merged = value == null ? merged.remove(key) : merged.put(key, value);
      count(key, since.after(), value, 1);
    }
  }

  /** Counts what takes a key from one value to the other, unless they are the same. */
  private void count(byte[] key, byte[] before, byte[] after, int times) {
    if (!Arrays.equals(before, after)) {
      writes += times;
      writtenBytes += times * LogRecord.Difference.encodedBytes(key.length, after);
    }
  }

  /** As in {@link Trie#merge}. */
  private byte[] both(byte[] left, byte[] right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return Arrays.equals(left, right) ? left : resolve(left, right);
  }

  /** Once it has thrown, the resolver is not asked again. */
  private byte[] resolve(byte[] left, byte[] right) {
    if (failure.get() != null) {
      throw new IllegalStateException("the resolver has failed");
    }
    try {
      return resolver.apply(left, right);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  /** Whether the change does not fit into one record of the log, and was therefore not made. */
  boolean isTooLarge() {
    return writtenBytes > LogRecord.MAX_BATCH_BYTES;
  }

  /** Throws what the resolver threw, if it did. */
  void throwFailure() {
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    } else if (thrown instanceof Error error) {
      throw error;
    }
  }
}
