package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code compute} and its like do, decide again, and let out of the functions given. */
class ComputeTest {
  @TempDir Path directory;
  private OverlayTrie<String, Long> store;

  @BeforeEach
  void open() {
    store = OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.longs());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void noIncrementIsLost() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < 50; n++) {
                  Counters.addAndGet(store, "merged", 2);
                  store.compute("computed", (key, old) -> old == null ? 1 : old + 1);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(store).isEqualTo(Map.of("merged", 400L, "computed", 200L));
    close();
    open();
    assertThat(store).isEqualTo(Map.of("merged", 400L, "computed", 200L));
  }

  @Test
  void isCalledAgainIfAnotherWriteCameFirst() {
    store.put("a", 1L);
    AtomicInteger calls = new AtomicInteger();
    Long result =
        store.compute(
            "a",
            (key, old) -> {
              if (calls.incrementAndGet() == 1) {
                store.put("a", 10L);
              }
              return old + 1;
            });
    assertThat(result).isEqualTo(11);
    assertThat(calls).hasValue(2);
    assertThat(store.get("a")).isEqualTo(11);
  }

  @Test
  void whatTheFunctionThrowsReachesTheCallerAndChangesNothing() {
    store.put("a", 1L);
    assertThatThrownBy(
            () ->
                store.compute(
                    "a",
                    (key, old) -> {
                      throw new ArithmeticException("with " + old);
                    }))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("with 1");
    assertThatThrownBy(
            () ->
                store.merge(
                    "a",
                    1L,
                    (old, added) -> {
                      throw new StackOverflowError();
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(
            () ->
                store.compute(
                    "absent",
                    (key, old) -> {
                      throw new ArithmeticException("with " + old);
                    }))
        .hasMessage("with null");
    assertThat(store).isEqualTo(Map.of("a", 1L));
    assertThat(store.commit().visible().lsn()).isEqualTo(1);
    assertThat(store.merge("a", 1L, Long::sum)).isEqualTo(2);
  }

  @Test
  void throwsNothingOfAnAttemptThatCameTooLate() {
    store.put("a", 1L);
    Long result =
        store.compute(
            "a",
            (key, old) -> {
              if (old == 1) {
                store.put("a", 10L);
                return old + 1;
              }
              return old - 1;
            });
    assertThat(result).isEqualTo(9);
  }

  @Test
  void removesWhereTheFunctionGivesNullAndLeavesAbsentWhatIsAbsent() {
    assertThat(store.compute("a", (key, old) -> null)).isNull();
    assertThat(store.computeIfPresent("a", (key, old) -> 1L)).isNull();
    assertThat(store.commit().visible().lsn()).isZero();
    store.put("a", 1L);
    assertThat(store.merge("a", 1L, (old, added) -> null)).isNull();
    assertThat(store).isEmpty();
    store.put("a", 1L);
    assertThat(store.computeIfPresent("a", (key, old) -> null)).isNull();
    assertThat(store).isEmpty();
    assertThat(store.headMap("b").computeIfPresent("c", (key, old) -> 1L)).isNull();
  }
}
