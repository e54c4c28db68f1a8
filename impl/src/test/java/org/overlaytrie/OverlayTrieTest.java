package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverlayTrieTest {
  private static final Options SMALL = Options.defaults().withWalSegmentBytes(4096);

  @TempDir Path directory;
  private OverlayTrie<String, String> store;

  @BeforeEach
  void open() {
    store = OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.string(), SMALL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  @Test
  void everyOperationAnswersAsConcurrentMapSays() {
    assertThat(store.put("a", "1")).isNull();
    assertThat(store.put("a", "2")).isEqualTo("1");
    assertThat(store.putIfAbsent("a", "3")).isEqualTo("2");
    assertThat(store.putIfAbsent("b", "1")).isNull();
    assertThat(store.replace("b", "2")).isEqualTo("1");
    assertThat(store.replace("c", "1")).isNull();
    assertThat(store.replace("a", "1", "9")).isFalse();
    assertThat(store.replace("a", "2", "3")).isTrue();
    assertThat(store.remove("a", "2")).isFalse();
    assertThat(store.remove("a", "3")).isTrue();
    assertThat(store.remove("a")).isNull();
    assertThat(store.remove("b")).isEqualTo("2");
    assertThat(store).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void agreesWithATreeMapThroughManyReopenings(long seed) {
    Random random = new Random(seed);
    TreeMap<String, String> model = new TreeMap<>();
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 60; i++) {
        String key = "k" + random.nextInt(40);
        String value = "v" + random.nextInt(3);
        String other = "v" + random.nextInt(3);
        Object[] answers =
            switch (random.nextInt(7)) {
              case 0 -> both(store.remove(key), model.remove(key));
              case 1 -> both(store.putIfAbsent(key, value), model.putIfAbsent(key, value));
              case 2 -> both(store.replace(key, value), model.replace(key, value));
              case 3 -> both(store.replace(key, other, value), model.replace(key, other, value));
              case 4 -> both(store.remove(key, value), model.remove(key, value));
              case 5 -> both(append(store, key, value), append(model, key, value));
              default -> both(store.put(key, value), model.put(key, value));
            };
        assertThat(answers[0]).isEqualTo(answers[1]);
      }
      assertSameContent(model);
      reopen();
      assertSameContent(model);
    }
  }

  private static Object[] both(Object actual, Object expected) {
    return new Object[] {actual, expected};
  }

  private static String append(Map<String, String> map, String key, String value) {
    return map.merge(key, value, (a, b) -> a.length() > 20 ? null : a + b);
  }

  private void assertSameContent(Map<String, String> model) {
    assertThat(new ArrayList<>(store.entrySet())).isEqualTo(new ArrayList<>(model.entrySet()));
    assertThat(store).isEqualTo(model).hasSameHashCodeAs(model).hasToString(model.toString());
    assertThat(store.size()).isEqualTo(model.size());
    assertThat(new ArrayList<>(store.keySet())).isEqualTo(new ArrayList<>(model.keySet()));
    assertThat(new ArrayList<>(store.values())).isEqualTo(new ArrayList<>(model.values()));
    model.forEach((key, value) -> assertThat(store.get(key)).isEqualTo(value));
  }

  @Test
  void iteratesInOrderOverTheMapAsItWas() {
    store.put("b", "2");
    store.put("a", "1");
    Iterator<Map.Entry<String, String>> iterator = store.entrySet().iterator();
    store.put("aa", "3");
    store.remove("b");

    assertThat(iterator.next()).isEqualTo(Map.entry("a", "1"));
    assertThat(iterator.next()).isEqualTo(Map.entry("b", "2"));
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    assertThat(new ArrayList<>(store.keySet())).containsExactly("a", "aa");
  }

  @Test
  void iteratorsAndEntriesWriteThrough() {
    store.put("a", "1");
    store.put("b", "2");
    Iterator<Map.Entry<String, String>> iterator = store.entrySet().iterator();
    assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
    iterator.next();
    iterator.remove();
    assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
    assertThat(iterator.next().setValue("3")).isEqualTo("2");
    assertThat(store).isEqualTo(Map.of("b", "3"));
    assertThat(store.entrySet().contains(Map.entry("b", "3"))).isTrue();
    assertThat(store.entrySet().remove(Map.entry("b", "2"))).isFalse();
    assertThat(store.keySet().remove("b")).isTrue();
    assertThat(store).isEmpty();
    store.put("x", "1");
    store.clear();
    assertThat(store).isEmpty();
  }

  @Test
  void nullsAreRefusedEverywhereAndChangeNothing() {
    store.put("a", "1");
    List<Callable<?>> calls =
        List.of(
            () -> store.get(null),
            () -> store.containsKey(null),
            () -> store.put(null, "1"),
            () -> store.put("a", null),
            () -> store.putIfAbsent(null, "1"),
            () -> store.putIfAbsent("a", null),
            () -> store.remove(null),
            () -> store.remove(null, "1"),
            () -> store.remove("a", null),
            () -> store.replace(null, "1"),
            () -> store.replace("a", null),
            () -> store.replace("a", null, "1"),
            () -> store.replace("a", "1", null),
            () -> store.replace(null, "1", "2"));
    for (Callable<?> call : calls) {
      assertThatThrownBy(call::call).isInstanceOf(NullPointerException.class);
    }
    assertThat(store).isEqualTo(Map.of("a", "1"));
  }

  @Test
  @SuppressWarnings("CollectionIncompatibleType")
  void objectsOfAnotherTypeAreRefused() {
    assertThatThrownBy(() -> store.get(1)).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> store.remove("a", 1)).isInstanceOf(ClassCastException.class);
  }

  @Test
  void tooLongKeysAndValuesAreRefusedWithTheLimit() {
    String longest = "k".repeat(65_536);
    store.put(longest, "v");
    assertThatThrownBy(() -> store.put(longest + "k", "v"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65537")
        .hasMessageContaining("65536");
    assertThatThrownBy(() -> store.put("k", "v".repeat((64 << 20) + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("67108864");
    reopen();
    assertThat(store).isEqualTo(Map.of(longest, "v"));
  }

  @Test
  void aKeyOf64KiBAndAValueOf16MiBSurviveReopening() {
    byte[] key = new byte[65_536];
    byte[] value = new byte[16 << 20];
    new Random(1).nextBytes(key);
    new Random(2).nextBytes(value);
    Path big = directory.resolve("big");
    try (var bytes = OverlayTrie.open(big, Codecs.bytes(), Codecs.bytes())) {
      bytes.put(key, value);
      bytes.put(new byte[0], new byte[0]);
    }
    try (var bytes = OverlayTrie.open(big, Codecs.bytes(), Codecs.bytes())) {
      assertThat(bytes.get(key)).isEqualTo(value);
      assertThat(bytes.get(new byte[0])).isEmpty();
      assertThat(bytes.size()).isEqualTo(2);
    }
  }

  @Test
  void aCodecThatThrowsLeavesTheMapAsItWas() {
    store.put("a", "1");
    assertThatThrownBy(() -> store.put("\ud800", "1")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.put("a", "\ud800")).isInstanceOf(IllegalArgumentException.class);
    assertThat(store).isEqualTo(Map.of("a", "1"));
    store.put("b", "2");
    assertThat(store.size()).isEqualTo(2);
  }

  @Test
  void afterCloseEveryCallSaysSo() {
    store.put("a", "1");
    Iterator<Map.Entry<String, String>> iterator = store.entrySet().iterator();
    iterator.next();
    store.close();
    store.close();
    List<Callable<?>> calls =
        List.of(
            () -> store.get("a"),
            () -> store.containsKey("a"),
            () -> store.put("a", "2"),
            () -> store.remove("absent"),
            () -> store.putIfAbsent("a", "2"),
            () -> store.size(),
            () -> store.isEmpty(),
            () -> store.entrySet().iterator(),
            () -> store.toString());
    for (Callable<?> call : calls) {
      assertThatThrownBy(call::call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closeWaitsForWritesUnderWayAndLosesNoneThatReturned() throws Exception {
    for (int round = 0; round < 20; round++) {
      ExecutorService pool = Executors.newFixedThreadPool(4);
      List<Future<Map<String, String>>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        String name = "w" + w + "-";
        writers.add(pool.submit(() -> putUntilClosed(name)));
      }
      while (store.size() < 20) {
        Thread.onSpinWait();
      }
      store.close();
      Map<String, String> acknowledged = new HashMap<>();
      for (Future<Map<String, String>> writer : writers) {
        acknowledged.putAll(writer.get());
      }
      pool.shutdown();
      open();
      assertThat(store).isEqualTo(acknowledged);
      store.clear();
    }
  }

  private Map<String, String> putUntilClosed(String name) {
    Map<String, String> acknowledged = new HashMap<>();
    try {
      for (int i = 0; ; i++) {
        store.put(name + i, "v" + i);
        acknowledged.put(name + i, "v" + i);
      }
    } catch (IllegalStateException closed) {
      return acknowledged;
    }
  }

  @Test
  void interruptedThreadsGetTheirAnswersAndKeepTheirFlag() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(6);
    List<Future<Boolean>> writers = new ArrayList<>();
    for (int w = 0; w < 6; w++) {
      int writer = w;
      writers.add(
          pool.submit(
              () -> {
                boolean kept = true;
                for (int i = 0; i < 100; i++) {
                  Thread.currentThread().interrupt();
                  store.put("w" + writer + "-" + i, "v");
                  kept &= Thread.interrupted();
                }
                return kept;
              }));
    }
    for (Future<Boolean> writer : writers) {
      assertThat(writer.get()).isTrue();
    }
    pool.shutdown();
    Thread.currentThread().interrupt();
    reopen();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.size()).isEqualTo(600);
  }

  @Test
  void countersOfManyThreadsAddUp() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    List<Future<?>> writers = new ArrayList<>();
    for (int w = 0; w < 8; w++) {
      writers.add(
          pool.submit(
              () -> {
                for (int i = 0; i < 100; i++) {
                  store.merge("n", "x", String::concat);
                }
              }));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    pool.shutdown();
    reopen();
    assertThat(store.get("n")).hasSize(800);
  }

  @Test
  void optionsOutOfRangeAreRefusedWithTheRange() {
    assertThatThrownBy(() -> Options.defaults().withWalSegmentBytes(4095))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4,096");
  }
}
