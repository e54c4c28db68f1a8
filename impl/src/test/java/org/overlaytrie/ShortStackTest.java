package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

  @Test
  void aWriteThatDoesNotWaitAndOverflowsTheStackHasDoneNothing() throws Exception {
    for (Durability durability : List.of(Durability.SYNC, Durability.NONE)) {
      OverlayTrie<Integer, Integer> store =
          open(Options.defaults().withDurability(durability).withAsyncLimit(4));
      for (int round = 0; round < ROUNDS; round++) {
        for (Consumer<Integer> write :
            List.<Consumer<Integer>>of(
                key -> store.putAsync(key, -1),
                key -> store.writeBatchAsync(batch -> batch.put(key, -1)),
                key -> store.put(key, -1))) {
          write.accept(0); // first calls link, and cannot where the stack ends
          store.syncAsync().toCompletableFuture().join();
          store.clear();
          int[] key = {0};
          Climb climb =
              climb(
                  () -> {
                    write.accept(key[0]);
                    key[0]++;
                  });
          assertThat(climb.overflown).isPositive();
          climb(store::syncAsync);
          store.syncAsync().toCompletableFuture().join(); // hangs if room was lost
          assertThat(store).hasSize(climb.succeeded);
        }
      }
      store.close();
    }
  }

  private OverlayTrie<Integer, Integer> open() {
    return open(Options.defaults());
  }

  private OverlayTrie<Integer, Integer> open(Options options) {
    return OverlayTrie.open(
        directory, Codecs.ints(), Codecs.ints(), options.withWalSegmentBytes(1 << 12));
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
