package org.overlaytrie.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/** A leader waits for as many changes as there were writers, and never beyond the delay. */
class LingerTest {
  private static final byte[] KEY = {1};
  private static final long DELAY = 100;

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private final Sleeper sleeper = new Sleeper();
  private final Linger linger = new Linger(versions, sleeper, DELAY);

  /** Does something while the leader sleeps, and lets the time go on. */
  private static final class Sleeper implements Parking {
    private final AtomicInteger sleeps = new AtomicInteger();
    private final AtomicInteger wakes = new AtomicInteger();
    private Runnable meanwhile = () -> {};
    private long now = Long.MAX_VALUE - 3; // the clock may overflow

    @Override
    public void park(Object blocker) {
      throw new AssertionError("slept without an end");
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      assertThat(nanos).isBetween(1L, DELAY);
      sleeps.incrementAndGet();
      now += 40;
      meanwhile.run();
    }

    @Override
    public void unpark(Thread thread) {
      assertThat(thread).isSameAs(Thread.currentThread());
      wakes.incrementAndGet();
    }

    @Override
    public long nanoTime() {
      return now;
    }
  }

  private void commit() {
    Version tip = versions.tip();
    Version next = tip.next(new LogRecord.Put(KEY, new byte[] {(byte) tip.lsn()}));
    assertThat(versions.compareAndSetTip(tip, next)).isTrue();
    linger.arrived(next.lsn());
  }

  private void flushedBy(int writers) {
    linger.flushed();
    for (int i = 1; i < writers; i++) {
      linger.waiting();
    }
  }

  @Test
  void aLoneWriterDoesNotWait() {
    for (int i = 0; i < 10; i++) {
      commit();
      linger.await();
      versions.makeVisible(versions.tip());
      flushedBy(1);
    }
    assertThat(sleeper.sleeps).hasValue(0);
  }

  @Test
  void waitsUntilAsManyHaveComeAsThereWere() {
    flushedBy(1);
    linger.waiting();
    linger.waiting();
    commit();
    sleeper.meanwhile = this::commit;
    linger.await();
    assertThat(sleeper.sleeps).hasValue(2);
    assertThat(sleeper.wakes).as("only the last one wakes").hasValue(1);
    commit();
    assertThat(sleeper.wakes).as("nobody lingers any more").hasValue(1);
  }

  @Test
  void givesUpAfterTheDelay() {
    flushedBy(5);
    commit();
    linger.await();
    assertThat(sleeper.sleeps).hasValue(3);
  }

  @Test
  void theClosedTipEndsTheWait() {
    flushedBy(5);
    commit();
    sleeper.meanwhile =
        () -> {
          versions.compareAndSetTip(versions.tip(), versions.tip().close());
          linger.arrived(versions.tip().settledLsn());
        };
    linger.await();
    assertThat(sleeper.sleeps).hasValue(1);
    assertThat(sleeper.wakes).hasValue(1);
  }

  @Test
  void anInterruptIsKeptAndEndsNoWait() {
    flushedBy(2);
    commit();
    sleeper.meanwhile =
        () -> {
          assertThat(Thread.currentThread().isInterrupted()).isEqualTo(sleeper.sleeps.get() == 1);
          if (sleeper.sleeps.get() == 2) {
            commit();
          }
        };
    Thread.currentThread().interrupt();
    linger.await();
    assertThat(sleeper.sleeps).hasValue(2);
    assertThat(Thread.interrupted()).isTrue();
  }
}
