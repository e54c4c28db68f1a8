package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.wal.MemoryStorage;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncWritesTest {

  /** Counts incomplete stages, and can hold up the leader before it forces. */
  private static class Stages implements ProtocolEvents {
    private final AtomicInteger incomplete = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicReference<CountDownLatch> gate =
        new AtomicReference<>(new CountDownLatch(0));
    private final Semaphore atGate = new Semaphore(0);

    @Override
    public void leaveStage(long stage) {
      most.accumulateAndGet(incomplete.incrementAndGet(), Math::max);
    }

    @Override
    public void completeStage(long stage, byte[] previous) {
      incomplete.decrementAndGet();
    }

    @Override
    public void failStage(long stage) {
      incomplete.decrementAndGet();
    }

    @Override
    public void collectBatch(long endLsn) {
      atGate.release();
      try {
        gate.get().await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final Stages stages = new Stages();
  private final MemoryStorage storage = new MemoryStorage();

  private OverlayTrie<String, String> open(Options options) {
    try {
      return OverlayTrie.open(
          storage,
          Codecs.string(),
          Codecs.string(),
          options.withWalSegmentBytes(1 << 16),
          stages,
          Parking.LOCK_SUPPORT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T result(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @ParameterizedTest
  @MethodSource("org.overlaytrie.DurabilityTest#all")
  void stagesTellWhatTheCallsWould(Durability durability) {
    try (OverlayTrie<String, String> store = open(Options.defaults().withDurability(durability))) {
      assertThat(result(store.putAsync("a", "1"))).isNull();
      assertThat(result(store.putAsync("a", "2"))).isEqualTo("1");
      assertThat(result(store.computeAsync("a", (key, old) -> key + old))).isEqualTo("a2");
      assertThat(result(store.computeAsync("a", (key, old) -> null))).isNull();
      assertThat(result(store.removeAsync("a"))).isNull();
      assertThat(result(store.writeBatchAsync(batch -> batch.put("b", "1")))).isNull();
      assertThat(result(store.removeAsync("b"))).isEqualTo("1");
      assertThat(result(store.putAsync("c", "1"))).isNull();
      assertThat(result(store.syncAsync())).isNull();
      assertThat(store.commit().visible().lsn()).isEqualTo(store.commit().tip().lsn());
      assertThat(store).hasSize(1).containsEntry("c", "1");
    }
  }

  @ParameterizedTest
  @MethodSource("org.overlaytrie.DurabilityTest#all")
  void whatTheFunctionThrowsCompletesTheStage(Durability durability) {
    try (OverlayTrie<String, String> store = open(Options.defaults().withDurability(durability))) {
      CompletionStage<String> stage =
          store.computeAsync(
              "a",
              (key, old) -> {
                throw new UnsupportedOperationException("mine");
              });
      assertThatThrownBy(() -> result(stage))
          .isInstanceOf(CompletionException.class)
          .hasRootCauseInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> store.putAsync(null, "1")).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(
              () ->
                  store.writeBatchAsync(
                      batch -> {
                        throw new UnsupportedOperationException("mine");
                      }))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(store).isEmpty();
    }
  }

  @Test
  void theStagesOfAThreadAreCompletedInTheOrderOfItsCalls() {
    ConcurrentLinkedQueue<Integer> completed = new ConcurrentLinkedQueue<>();
    List<Integer> called = new ArrayList<>();
    try (OverlayTrie<String, String> store = open(Options.defaults())) {
      CompletableFuture<?> last = null;
      for (int i = 0; i < 1_000; i++) {
        int number = i;
        called.add(i);
        CompletionStage<?> stage =
            i % 7 == 0 ? store.syncAsync() : store.putAsync("k" + i % 10, "v");
        last = stage.thenRun(() -> completed.add(number)).toCompletableFuture();
      }
      last.join();
    }
    // A dependent that was added to a complete stage has run at once, in its place or before.
    assertThat(completed).containsExactlyInAnyOrderElementsOf(called);
  }

  @Test
  void noMoreStagesThanTheLimitAreIncomplete() throws InterruptedException {
    int limit = 4;
    try (OverlayTrie<String, String> store = open(Options.defaults().withAsyncLimit(limit))) {
      List<Thread> callers = new ArrayList<>();
      ConcurrentLinkedQueue<CompletionStage<?>> all = new ConcurrentLinkedQueue<>();
      for (int caller = 0; caller < 8; caller++) {
        String key = "k" + caller;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    all.add(i % 5 == 0 ? store.removeAsync(key) : store.putAsync(key, "v" + i));
                  }
                });
        thread.start();
        callers.add(thread);
      }
      for (Thread thread : callers) {
        thread.join();
      }
      all.forEach(AsyncWritesTest::result);
      assertThat(all).hasSize(8 * 300);
      assertThat(stages.most.get()).isEqualTo(limit);
      assertThat(stages.incomplete).hasValue(0);
    }
  }

  @Test
  void whoIsPushedBackIsLetGoWhenTheStoreFailsAndKeepsItsInterrupt() throws InterruptedException {
    stages.gate.set(new CountDownLatch(1));
    OverlayTrie<String, String> store = open(Options.defaults().withAsyncLimit(2));
    List<CompletionStage<String>> first =
        List.of(store.putAsync("a", "1"), store.putAsync("b", "1"));
    stages.atGate.acquire(); // the completing thread leads
    AtomicReference<CompletionStage<String>> third = new AtomicReference<>();
    AtomicInteger interrupted = new AtomicInteger();
    Thread caller =
        new Thread(
            () -> {
              third.set(store.putAsync("c", "1"));
              interrupted.set(Thread.interrupted() ? 1 : 0);
            });
    caller.start();
    caller.interrupt();
    assertThat(stages.most).hasValue(2);
    storage.failChanges();
    stages.gate.get().countDown();
    caller.join();
    assertThat(interrupted).hasValue(1);
    for (CompletionStage<String> stage : List.of(first.get(0), first.get(1), third.get())) {
      assertThatThrownBy(() -> result(stage)).hasRootCauseInstanceOf(IOException.class);
      assertThat(failure(stage)).isInstanceOf(StoreFailedException.class);
    }
    assertThat(failure(store.putAsync("d", "1"))).isInstanceOf(StoreFailedException.class);
    assertThat(failure(store.syncAsync())).isInstanceOf(StoreFailedException.class);
    store.close();
  }

  private static Throwable failure(CompletionStage<?> stage) {
    return stage.handle((value, failure) -> failure).toCompletableFuture().join();
  }

  @Test
  void aDependentMayWriteThrowBlockForAWhileAndCloseTheStore() throws InterruptedException {
    OverlayTrie<String, String> store = open(Options.defaults().withAsyncLimit(1));
    CountDownLatch registered = new CountDownLatch(1);
    stages.gate.set(registered);
    AtomicReference<Thread> completing = new AtomicReference<>();
    CompletableFuture<String> nested =
        store
            .putAsync("a", "1")
            .thenCompose(
                none -> {
                  completing.set(Thread.currentThread());
                  store.put("b", "1"); // leads, if need be
                  CompletionStage<String> inner = store.putAsync("c", "1"); // beyond the limit
                  return inner.thenCombine(store.putAsync("d", "1"), (x, y) -> "done");
                })
            .toCompletableFuture();
    registered.countDown();
    assertThat(nested.join()).isEqualTo("done");
    assertThat(completing.get()).isNotSameAs(Thread.currentThread());
    CountDownLatch again = new CountDownLatch(1);
    stages.gate.set(again);
    CompletableFuture<Void> closed =
        store
            .putAsync("e", "1")
            .thenAccept(
                none -> {
                  store.close();
                  throw new IllegalArgumentException("has no consequences");
                })
            .toCompletableFuture();
    again.countDown();
    assertThatThrownBy(closed::join).hasRootCauseInstanceOf(IllegalArgumentException.class);
    completing.get().join(); // it ends with the store
    assertThatThrownBy(() -> store.putAsync("f", "1")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingCompletesEveryStageAndEndsTheThread() throws InterruptedException {
    OverlayTrie<String, String> store = open(Options.defaults());
    AtomicReference<Thread> completing = new AtomicReference<>();
    stages.gate.set(new CountDownLatch(1));
    List<CompletionStage<Void>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(
          store.putAsync("k" + i, "v").thenAccept(none -> completing.set(Thread.currentThread())));
    }
    Thread closing = new Thread(store::close);
    closing.start();
    stages.gate.get().countDown();
    closing.join();
    all.forEach(AsyncWritesTest::result);
    completing.get().join();
  }

  @Test
  void aFunctionMayWriteWithoutWaitingThoughTheLimitIsReached() {
    try (OverlayTrie<String, String> store = open(Options.defaults().withAsyncLimit(1))) {
      List<CompletionStage<String>> inner = new ArrayList<>();
      CompletionStage<String> outer =
          store.computeAsync(
              "a",
              (key, old) -> {
                if (inner.isEmpty()) { // it is called again, since this moves the tip
                  inner.add(store.putAsync("b", "1"));
                }
                return "2";
              });
      assertThat(result(outer)).isEqualTo("2");
      assertThat(result(inner.get(0))).isNull();
      assertThat(result(store.putAsync("c", "3"))).isNull();
      assertThat(store).containsEntry("a", "2").containsEntry("b", "1").hasSize(3);
    }
  }

  @Test
  void anInterruptInADependentReachesNoOther() {
    try (OverlayTrie<String, String> store = open(Options.defaults())) {
      stages.gate.set(new CountDownLatch(1));
      CompletionStage<Void> first =
          store.putAsync("a", "1").thenRun(() -> Thread.currentThread().interrupt());
      CompletionStage<Boolean> second =
          store.putAsync("b", "1").thenApply(old -> Thread.currentThread().isInterrupted());
      stages.gate.get().countDown();
      result(first);
      assertThat(result(second)).isFalse();
    }
  }
}
