package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads write and close where their stacks end, at every depth near it. What fails must have done
 * nothing, and above all must not leave others waiting. If a test hangs, it has found that.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShortStackTest {
  private static final int STACK_BYTES = 256 * 1024;
  private static final int ROUNDS = 4;

  @TempDir Path directory;

  @Test
  void aWriteThatOverflowsTheStackHasDoneNothing() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      OverlayTrie<Integer, Integer> store = open();
      int size = store.size();
      int[] key = {size};
      Climb climb =
          climb(
              () -> {
                store.put(key[0], -1);
                key[0]++; // not after an error: the next one must find no trace of it
              });
      assertThat(climb.overflown).isPositive();
      assertThat(climb.succeeded).isEqualTo(Climb.SUCCESSES);
      assertThat(store).hasSize(size + climb.succeeded);
      assertThat(store.put(size, round)).isEqualTo(-1); // hangs if a leader died
      store.close();
      try (OverlayTrie<Integer, Integer> reopened = open()) {
        assertThat(reopened).hasSize(size + climb.succeeded).containsEntry(size, round);
      }
    }
  }

  @Test
  void aCloseThatOverflowsTheStackHasDoneNothing() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      OverlayTrie<Integer, Integer> store = open();
      store.put(round, round);
      assertThat(climb(store::close).overflown).isPositive();
      store.close();
      try (OverlayTrie<Integer, Integer> reopened = open()) {
        assertThat(reopened).hasSize(round + 1);
      }
    }
  }

  private OverlayTrie<Integer, Integer> open() {
    return OverlayTrie.open(
        directory, Codecs.ints(), Codecs.ints(), Options.defaults().withWalSegmentBytes(1 << 12));
  }

  private static Climb climb(Runnable work) throws Exception {
    Climb climb = new Climb(work);
    FutureTask<Void> task = new FutureTask<>(climb::fromTheEndOfTheStack, null);
    new Thread(null, task, "short stack", STACK_BYTES).start();
    task.get();
    return climb;
  }

  /** Fills the stack with calls, and tries the work in each of the last until it succeeds. */
  private static final class Climb {
    private static final int SUCCESSES = 20;

    private final Runnable work;
    private int succeeded;
    private int overflown;

    Climb(Runnable work) {
      this.work = work;
    }

    @SuppressWarnings("InfiniteRecursion") // the stack ends it
    void fromTheEndOfTheStack() {
      try {
        fromTheEndOfTheStack();
      } catch (StackOverflowError end) {
        // This is the last call that fits.
      }
      if (succeeded < SUCCESSES) {
        try {
          work.run();
          succeeded++;
        } catch (StackOverflowError tooFar) {
          overflown++;
        }
      }
    }
  }
}
