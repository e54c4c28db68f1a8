package org.overlaytrie;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.overlaytrie.checkpoint.Checkpoints;
import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.trie.Trie;

/**
 * What a store's views read and write.
 *
 * <p>A large decision loses its CAS to every small write that comes in between. After some attempts
 * it claims the right of way, and as long as it does, each other write waits a moment before it
 * begins. This is courtesy and no lock: nobody waits twice, or for anybody in particular.
 */
final class LiveSource implements EntrySource {
  /** An attempt takes a fraction of the one before, so most large decisions are through by then. */
  private static final int PATIENCE = 8;

  /** Much longer than an attempt takes that has only a few writes of others to catch up with. */
  private static final long COURTESY_NANOS = 2_000_000;

  private final SequencedCommit commit;
  private final Checkpoints checkpoints;

  /** How many large decisions claim the right of way. */
  private final AtomicInteger claims = new AtomicInteger();

  LiveSource(SequencedCommit commit, Checkpoints checkpoints) {
    this.checkpoints = checkpoints;
    this.commit = commit;
  }

  @Override
  public Trie content() {
    return commit.readAll();
  }

  @Override
  public byte[] read(byte[] key) {
    return commit.read(key);
  }

  @Override
  public void requireWritable() {
    commit.requireOpen();
  }

  @Override
  public byte[] write(Operation operation) {
    commit.requireOpen(); // nothing is begun for a store that is closed
    giveWay();
    checkpoints.beforeWrite();
    return commit.write(operation);
  }

  @Override
  public byte[] decide(Decider decision) {
    commit.requireOpen(); // a decision is not asked for once the store is closed
    giveWay();
    checkpoints.beforeWrite();
    return commit.decide(decision);
  }

  /** As {@link SequencedCommit#decideLater}. */
  <T> CompletionStage<T> decideLater(Decider decision, Supplier<T> result) {
    commit.requireOpen();
    giveWay();
    checkpoints.beforeWrite();
    return commit.decideLater(decision, result);
  }

  @Override
  public byte[] decideLarge(Decider decision) {
    commit.requireOpen();
    checkpoints.beforeWrite();
    int[] attempts = {0};
    try {
      return commit.decide(
          tip -> {
            if (++attempts[0] == PATIENCE) {
              claims.incrementAndGet();
            }
            return decision.decide(tip);
          });
    } finally {
      if (attempts[0] >= PATIENCE) {
        claims.decrementAndGet();
      }
    }
  }

  /** Whether others wait a moment now. */
  boolean isClaimed() {
    return claims.get() > 0;
  }

  private void giveWay() {
    if (isClaimed()) {
      LockSupport.parkNanos(this, COURTESY_NANOS);
    }
  }
}
