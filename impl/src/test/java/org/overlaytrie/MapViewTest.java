package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.wal.MemoryStorage;

/** What the comparison with other maps does not show: errors, iterators, functions, threads. */
class MapViewTest {
  private OverlayTrie<String, String> store;

  @BeforeEach
  void openWithTheLettersFromAToF() throws IOException {
    store = open(Codecs.string(), Codecs.string());
    for (String key : List.of("a", "b", "c", "d", "e", "f")) {
      store.put(key, key + key);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static <K, V> OverlayTrie<K, V> open(Codec<K> keys, Codec<V> values) throws IOException {
    return OverlayTrie.open(
        new MemoryStorage(),
        keys,
        values,
        Options.defaults().withWalSegmentBytes(4_096),
        ProtocolEvents.NONE,
        Parking.LOCK_SUPPORT);
  }

  @Test
  void viewsShowWritesToTheStoreAndTheOtherWayRound() {
    NavigableMap<String, String> view = store.subMap("b", false, "e", true).descendingMap();
    assertThat(view).hasToString("{e=ee, d=dd, c=cc}");
    store.put("ca", "new");
    store.remove("e");
    assertThat(view).hasToString("{d=dd, ca=new, c=cc}");
    view.put("bb", "by view");
    view.navigableKeySet().remove("c");
    assertThat(store).hasToString("{a=aa, b=bb, bb=by view, ca=new, d=dd, f=ff}");
    view.clear();
    assertThat(store).hasToString("{a=aa, b=bb, f=ff}");
    assertThat(view).isEmpty();
  }

  @Test
  void keysOutsideOfAViewAreAbsentInItAndCannotBePut() {
    ConcurrentNavigableMap<String, String> view = store.subMap("b", "d");
    assertThat(view.get("d")).isNull();
    assertThat(view.containsKey("a")).isFalse();
    assertThat(view.entrySet().contains(Map.entry("a", "aa"))).isFalse();
    assertThat(view.remove("a")).isNull();
    assertThat(view.remove("d", "dd")).isFalse();
    assertThat(view.replace("d", "x")).isNull();
    assertThat(view.replace("d", "dd", "x")).isFalse();
    assertThat(view.computeIfPresent("d", (k, v) -> "x")).isNull();
    List<ThrowingCallable> puts =
        List.of(
            () -> view.put("d", "x"),
            () -> view.putIfAbsent("az", "x"),
            () -> view.compute("d", (k, v) -> "x"),
            () -> view.computeIfAbsent("a", k -> "x"),
            () -> view.merge("d", "x", String::concat));
    for (ThrowingCallable put : puts) {
      assertThatIllegalArgumentException()
          .isThrownBy(put)
          .withMessageContaining("from b inclusive to d exclusive");
    }
    assertThat(store).hasToString("{a=aa, b=bb, c=cc, d=dd, e=ee, f=ff}");
  }

  @Test
  void rangesThatAreInvertedOrReachOutOfAViewAreRefused() throws IOException {
    NavigableMap<String, String> view = store.subMap("b", true, "d", false);
    List<ThrowingCallable> calls =
        List.of(
            () -> store.subMap("d", "c"),
            () -> store.descendingMap().subMap("c", "d"),
            () -> store.keySet().subSet("d", "c"),
            () -> view.headMap("d", true),
            () -> view.headMap("a", true),
            () -> view.tailMap("a", false),
            () -> view.tailMap("e", false),
            () -> view.subMap("b", "e"),
            () -> view.descendingMap().headMap("a", false));
    for (ThrowingCallable call : calls) {
      assertThatIllegalArgumentException().isThrownBy(call);
    }
    assertThat(view.tailMap("d", false)).as("left out by both").isEmpty();
    assertThat(store.subMap("c", false, "c", false)).isEmpty();
    assertThat(store.subMap("c", true, "c", true)).hasSize(1);
    try (var bytes = open(Codecs.bytes(), Codecs.bytes())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bytes.subMap(new byte[] {2, -1}, new byte[] {1}))
          .withMessageContaining("from 0x02ff inclusive to 0x01 exclusive");
    }
  }

  @Test
  void refusesNullsWhateverTheView() {
    for (ConcurrentNavigableMap<String, String> map :
        List.of(store, store.headMap("c"), store.descendingMap())) {
      List<ThrowingCallable> calls =
          List.of(
              () -> map.get(null),
              () -> map.put(null, "x"),
              () -> map.put("a", null),
              () -> map.remove("zz", null),
              () -> map.containsValue(null),
              () -> map.lowerKey(null),
              () -> map.ceilingEntry(null),
              () -> map.headMap(null),
              () -> map.tailMap(null, true),
              () -> map.subMap("a", null),
              () -> map.subMap(null, "b"),
              () -> map.navigableKeySet().headSet(null),
              () -> map.compute("a", null),
              () -> map.computeIfAbsent("a", null),
              () -> map.computeIfPresent("a", null),
              () -> map.merge("a", "x", null),
              () -> map.merge("a", null, String::concat),
              () -> map.replaceAll(null),
              () -> map.replaceAll((k, v) -> null),
              () -> map.forEach(null),
              () -> map.values().removeIf(null),
              () -> map.entrySet().removeIf(null));
      for (ThrowingCallable call : calls) {
        assertThatNullPointerException().isThrownBy(call);
      }
    }
    assertThat(store).hasToString("{a=aa, b=bb, c=cc, d=dd, e=ee, f=ff}");
  }

  @Test
  void firstAndLastOfNothingAreErrors() {
    NavigableMap<String, String> view = store.tailMap("x");
    NavigableSet<String> keys = view.navigableKeySet();
    assertThatThrownBy(view::firstKey).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(view::lastKey).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(keys::first).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(keys::last).isInstanceOf(NoSuchElementException.class);
    assertThat(view.firstEntry()).isNull();
    assertThat(view.pollLastEntry()).isNull();
    assertThat(keys.pollFirst()).isNull();
  }

  @Test
  void keysGrowByTheValueThatTheyWereGivenAndByNoOther() {
    assertThatThrownBy(() -> store.keySet().add("x"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("navigableKeySet(mappedValue)");
    assertThatThrownBy(() -> store.navigableKeySet(null)).hasMessage("mappedValue");
    NavigableSet<String> keys = store.navigableKeySet("new");
    assertThat(keys.add("a")).isFalse();
    assertThat(keys.descendingSet().headSet("f", false).add("x")).isTrue();
    assertThatThrownBy(() -> keys.subSet("b", "e").add("e"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> keys.add(null)).isInstanceOf(NullPointerException.class);
    assertThat(store).containsEntry("a", "aa").containsEntry("x", "new").hasSize(7);
  }

  @Test
  void afterCloseEveryUseOfAViewSaysSo() {
    ConcurrentNavigableMap<String, String> view = store.subMap("b", "e");
    NavigableMap<String, String> backwards = view.descendingMap();
    NavigableSet<String> keys = view.navigableKeySet();
    Collection<String> values = view.values();
    Set<Entry<String, String>> entries = view.entrySet();
    Iterator<String> iterator = keys.iterator();
    iterator.next();
    store.close();
    List<ThrowingCallable> calls =
        List.of(
            () -> view.get("b"),
            () -> view.get("x"),
            () -> view.remove("x"),
            () -> view.containsValue("bb"),
            () -> view.size(),
            () -> view.firstKey(),
            () -> view.lastEntry(),
            () -> view.pollFirstEntry(),
            () -> view.clear(),
            () -> view.compute("b", (k, v) -> v),
            () -> view.computeIfAbsent("c", k -> k),
            () -> view.merge("c", "x", String::concat),
            () -> view.replaceAll((k, v) -> v),
            () -> view.forEach((k, v) -> {}),
            () -> view.toString(),
            () -> backwards.floorKey("c"),
            () -> backwards.isEmpty(),
            () -> keys.iterator(),
            () -> keys.spliterator(),
            () -> keys.first(),
            () -> values.iterator(),
            () -> values.stream(),
            () -> entries.iterator(),
            () -> store.headMap("c").lastKey(),
            () -> store.rankOf("a"),
            () -> store.entryAt(0),
            () -> iterator.remove());
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void iteratorsShowTheViewAsItWas() {
    NavigableMap<String, String> view = store.subMap("b", "e");
    Iterator<String> up = view.keySet().iterator();
    Iterator<String> down = view.descendingKeySet().iterator();
    Iterator<String> values = view.values().iterator();
    store.clear();
    store.put("bb", "new");
    assertThat(drain(up)).containsExactly("b", "c", "d");
    assertThat(drain(down)).containsExactly("d", "c", "b");
    assertThat(drain(values)).containsExactly("bb", "cc", "dd");
    assertThatThrownBy(up::next).isInstanceOf(NoSuchElementException.class);
    assertThat(view).hasToString("{bb=new}");
  }

  @Test
  void iteratorsRemoveWhatTheyReturnedLast() {
    Iterator<String> keys = store.descendingKeySet().iterator();
    keys.next();
    keys.next();
    keys.remove();
    assertThatThrownBy(keys::remove).isInstanceOf(IllegalStateException.class);
    keys.next();
    Iterator<String> values = store.headMap("c").values().iterator();
    values.next();
    values.remove();
    assertThat(store).hasToString("{b=bb, c=cc, d=dd, f=ff}");
  }

  private static <T> List<T> drain(Iterator<T> iterator) {
    List<T> all = new ArrayList<>();
    iterator.forEachRemaining(all::add);
    return all;
  }

  @Test
  void entriesFoundAreCopiesAndThoseOfIteratorsWriteThrough() {
    assertThatThrownBy(() -> store.firstEntry().setValue("x"))
        .isInstanceOf(UnsupportedOperationException.class);
    for (Entry<String, String> entry : store.tailMap("e").entrySet()) {
      entry.setValue("set");
    }
    assertThat(store.tailMap("d")).hasToString("{d=dd, e=set, f=set}");
  }

  @Test
  void spliteratorsSayWhatTheyAreAndSplitExactly() {
    for (NavigableMap<String, String> map :
        List.of(store, store.subMap("b", "f"), store.tailMap("b", false).descendingMap())) {
      List<String> keys = drain(map.keySet().iterator());
      List<String> split = new ArrayList<>();
      split(map.keySet().spliterator(), split);
      assertThat(split).isEqualTo(keys);
      assertThat(map.values().stream().parallel().toList())
          .isEqualTo(drain(map.values().iterator()));
      assertThat(map.keySet().stream().sorted(map.comparator()).toList()).isEqualTo(keys);
    }
    Spliterator<String> keys = store.keySet().spliterator();
    int common =
        Spliterator.ORDERED | Spliterator.SIZED | Spliterator.SUBSIZED | Spliterator.NONNULL;
    int unique = Spliterator.DISTINCT | Spliterator.SORTED;
    assertThat(keys.characteristics()).isEqualTo(common | unique);
    assertThat(keys.getComparator()).isSameAs(store.comparator());
    Spliterator<Entry<String, String>> entries = store.entrySet().spliterator();
    assertThat(entries.characteristics()).isEqualTo(common | unique);
    assertThat(entries.getComparator().compare(Map.entry("b", ""), Map.entry("a", "")))
        .isPositive();
    Spliterator<String> values = store.values().spliterator();
    assertThat(values.characteristics()).isEqualTo(common);
    assertThatThrownBy(values::getComparator).isInstanceOf(IllegalStateException.class);
  }

  /** Splits as far as possible, with a step in between so that splits happen in the middle too. */
  private static void split(Spliterator<String> rest, List<String> all) {
    rest.tryAdvance(all::add);
    long before = rest.getExactSizeIfKnown();
    Spliterator<String> first = rest.trySplit();
    if (first == null) {
      rest.forEachRemaining(all::add);
      return;
    }
    assertThat(first.getExactSizeIfKnown() + rest.getExactSizeIfKnown()).isEqualTo(before);
    split(first, all);
    split(rest, all);
  }

  @Test
  void comparatorsAgreeWithTheOrderOfTheKeys() throws IOException {
    String beyond = "\uD83D\uDE00";
    String below = "\uFFFD";
    store.put(beyond, "1");
    store.put(below, "2");
    assertThat(store.tailMap("g").keySet()).containsExactly(below, beyond);
    assertThat(store.comparator().compare(below, beyond)).isNegative();
    assertThat(store.descendingMap().comparator().compare(below, beyond)).isPositive();
    assertThat(below.compareTo(beyond)).as("another order").isPositive();
    try (var longs = open(Codecs.longs(), Codecs.longs())) {
      assertThat(longs.comparator()).isNull();
      assertThat(longs.descendingMap().comparator()).isEqualTo(Comparator.reverseOrder());
      longs.put(-1L, 1L);
      longs.put(1L, 1L);
      assertThat(longs.headMap(0L).firstKey()).isEqualTo(-1L);
      assertThat(longs.entrySet().spliterator().getComparator()).isNotNull();
    }
  }

  @Test
  void functionsThatThrowChangeNothing() {
    IllegalStateException mine = new IllegalStateException("mine");
    List<ThrowingCallable> calls =
        List.of(
            () -> store.compute("a", (k, v) -> rethrow(mine)),
            () -> store.compute("x", (k, v) -> rethrow(mine)),
            () -> store.computeIfAbsent("x", k -> rethrow(mine)),
            () -> store.computeIfPresent("a", (k, v) -> rethrow(mine)),
            () -> store.merge("a", "x", (v, w) -> rethrow(mine)),
            () -> store.compute("a", (k, v) -> "\ud800"));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOfAny(mine.getClass(), IllegalArgumentException.class);
    }
    assertThat(store).hasToString("{a=aa, b=bb, c=cc, d=dd, e=ee, f=ff}");
  }

  private static String rethrow(RuntimeException e) {
    throw e;
  }

  @Test
  void functionsThatAnswerNullRemoveOrDoNothing() {
    assertThat(store.compute("a", (k, v) -> null)).isNull();
    assertThat(store.computeIfPresent("b", (k, v) -> null)).isNull();
    assertThat(store.merge("c", "x", (v, w) -> null)).isNull();
    assertThat(store.compute("x", (k, v) -> null)).isNull();
    assertThat(store.computeIfAbsent("x", k -> null)).isNull();
    assertThat(store).hasToString("{d=dd, e=ee, f=ff}");
  }

  @Test
  void functionsMayChangeTheArrayThatTheyAreGiven() throws IOException {
    try (var bytes = open(Codecs.longs(), Codecs.bytes())) {
      bytes.put(1L, new byte[] {1});
      bytes.compute(1L, (k, v) -> increment(v));
      bytes.computeIfPresent(1L, (k, v) -> increment(v));
      bytes.merge(1L, new byte[] {0}, (v, w) -> increment(v));
      bytes.replaceAll((k, v) -> increment(v));
      assertThat(bytes.get(1L)).containsExactly(5);
    }
  }

  @Test
  void collectionsCompareValuesByTheirEncodings() throws IOException {
    try (var bytes = open(Codecs.longs(), Codecs.bytes())) {
      for (long key = 1; key <= 4; key++) {
        bytes.put(key, new byte[] {(byte) (key / 2)});
      }
      assertThat(bytes.containsValue(new byte[] {2})).isTrue();
      assertThat(bytes.values().contains(new byte[] {3})).isFalse();
      assertThat(bytes.entrySet().contains(Map.entry(4L, new byte[] {2}))).isTrue();
      assertThat(bytes.entrySet().contains(Map.entry(4L, new byte[] {1}))).isFalse();
      assertThat(bytes.values().remove(new byte[] {1})).isTrue();
      assertThat(bytes.tailMap(3L).values().remove(new byte[] {0})).isFalse();
      assertThat(bytes.entrySet().remove(Map.entry(4L, new byte[] {2}))).isTrue();
      assertThat(bytes.keySet()).containsExactly(1L, 3L);
    }
  }

  private static byte[] increment(byte[] value) {
    value[0]++;
    return value;
  }

  @Test
  void functionsAreCalledAgainWhenTheValueChangedMeanwhile() {
    AtomicInteger calls = new AtomicInteger();
    String result =
        store.compute(
            "a",
            (k, v) -> {
              if (calls.incrementAndGet() <= 2) {
                store.put("a", "other" + calls);
              }
              return v + "!";
            });
    assertThat(calls).hasValue(3);
    assertThat(result).isEqualTo("other2!");
    assertThat(store.get("a")).isEqualTo("other2!");

    assertThat(store.computeIfAbsent("x", k -> putAndReturn("x", "first"))).isEqualTo("first");
    assertThat(store.merge("y", "1", String::concat)).isEqualTo("1");
    assertThat(store.computeIfPresent("y", (k, v) -> store.remove(k))).isNull();
  }

  private String putAndReturn(String key, String value) {
    store.put(key, value);
    return "second";
  }

  @Test
  void removesByFilterOnlyWhatStillHasTheValueThatWasSeen() {
    boolean removed =
        store
            .entrySet()
            .removeIf(
                entry -> {
                  if (entry.getKey().equals("b")) {
                    store.put("b", "changed");
                  }
                  return entry.getKey().compareTo("d") < 0;
                });
    assertThat(removed).isTrue();
    assertThat(store).hasToString("{b=changed, d=dd, e=ee, f=ff}");
    assertThat(store.values().removeIf(value -> value.equals("none"))).isFalse();
  }

  @Test
  void severalThreadsPollEachEntryOnce() throws Exception {
    store.clear();
    int entries = 2_000;
    for (int i = 0; i < entries; i++) {
      store.put(String.format("%05d", i), "v");
    }
    List<List<String>> polled = new ArrayList<>();
    for (List<String> each :
        inParallel(
            4,
            thread -> {
              List<String> mine = new ArrayList<>();
              boolean first = thread % 2 == 0;
              for (Entry<String, String> entry = poll(first); entry != null; entry = poll(first)) {
                mine.add(entry.getKey());
              }
              return mine;
            })) {
      polled.add(each);
    }
    List<String> all = polled.stream().flatMap(List::stream).toList();
    assertThat(all).hasSize(entries);
    assertThat(new HashSet<>(all)).hasSize(entries);
    for (int thread = 0; thread < 4; thread++) {
      Comparator<String> order = Comparator.naturalOrder();
      assertThat(polled.get(thread))
          .isSortedAccordingTo(thread % 2 == 0 ? order : order.reversed());
    }
  }

  private Entry<String, String> poll(boolean first) {
    return first ? store.pollFirstEntry() : store.pollLastEntry();
  }

  @Test
  void noUpdateOfSeveralThreadsIsLost() throws Exception {
    try (var counters = open(Codecs.string(), Codecs.longs())) {
      int rounds = 500;
      inParallel(
          4,
          thread -> {
            for (int i = 0; i < rounds; i++) {
              counters.compute("compute", (k, v) -> v == null ? 1 : v + 1);
              counters.merge("merge", 1L, Long::sum);
              counters.computeIfAbsent("present", k -> 0L);
              counters.computeIfPresent("present", (k, v) -> v + 1);
            }
            return thread;
          });
      assertThat(counters.values()).containsOnly(4L * rounds);
      assertThat(counters).hasSize(3);
    }
  }

  @Test
  void readersOfViewsSeeWholeVersionsWhileOthersWrite() throws Exception {
    store.clear();
    AtomicInteger running = new AtomicInteger(2);
    inParallel(
        4,
        thread -> {
          if (thread < 2) {
            for (int i = 0; i < 1_000; i++) {
              store.put("w" + thread + "-" + (i % 50), "v" + i);
              store.remove("w" + thread + "-" + ((i + 25) % 50));
            }
            running.decrementAndGet();
          } else {
            while (running.get() > 0) {
              NavigableMap<String, String> view = store.subMap("w0", "w1").descendingMap();
              List<String> keys = List.copyOf(view.keySet());
              assertThat(keys).isSortedAccordingTo(Comparator.reverseOrder());
              assertThat(keys).allMatch(key -> key.startsWith("w0-"));
            }
          }
          return thread;
        });
  }

  private interface Work<T> {
    T run(int thread) throws Exception;
  }

  private static <T> List<T> inParallel(int threads, Work<T> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<T>> tasks =
          IntStream.range(0, threads).<Callable<T>>mapToObj(i -> () -> work.run(i)).toList();
      List<T> results = new ArrayList<>();
      for (Future<T> result : pool.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void codecsThatSayNothingAboutTheirOrderCompareEncodings() {
    Codec<String> plain =
        new Codec<>() {
          private final Codec<String> latin = new Latin1();

          @Override
          public String name() {
            return "plain";
          }

          @Override
          public int version() {
            return 1;
          }

          @Override
          public byte[] encode(String object) {
            return latin.encode(new StringBuilder(object).reverse().toString());
          }

          @Override
          public String decode(byte[] bytes) {
            return new StringBuilder(latin.decode(bytes)).reverse().toString();
          }
        };
    List<String> words = new ArrayList<>(List.of("ab", "ba", "b\u00FF", "z"));
    words.sort(plain.comparator());
    assertThat(words).containsExactly("ba", "ab", "z", "b\u00FF");
    assertThat(Arrays.compareUnsigned(plain.encode("ba"), plain.encode("ab"))).isNegative();
  }
}
