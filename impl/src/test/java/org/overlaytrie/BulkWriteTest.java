package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BinaryOperator;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.trie.Keys;
import org.overlaytrie.wal.MemoryStorage;

/** Many entries at once: sorted ones, and those of a snapshot. */
class BulkWriteTest {
  private static final int SEEDS = 12;
  private static final int CHUNK = 4_096;

  private OverlayTrie<Long, Long> store;
  private final List<Long> progress = new ArrayList<>();

  @BeforeEach
  void open() {
    store = MemoryStores.open(Codecs.longs(), Codecs.longs());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private long lsn() {
    return store.commit().visible().lsn();
  }

  private static Iterator<Entry<Long, Long>> upTo(long end) {
    return entries(end, key -> key);
  }

  private static Iterator<Entry<Long, Long>> entries(long end, LongFunction<Long> value) {
    return LongStream.range(0, end).mapToObj(key -> Map.entry(key, value.apply(key))).iterator();
  }

  private static OverlayTrie<String, String> open(MemoryStorage storage) throws IOException {
    return OverlayTrie.open(
        storage,
        new Latin1(),
        new Latin1(),
        Options.defaults(),
        ProtocolEvents.NONE,
        Parking.LOCK_SUPPORT);
  }

  /** Merges by one of the two methods. */
  private interface Merge {
    <K, V> void into(
        OverlayTrie<K, V> store,
        Snapshot<K, V> other,
        BinaryOperator<V> onConflict,
        ProgressListener listener);
  }

  private enum Variant implements Merge {
    WHOLE {
      @Override
      public <K, V> void into(
          OverlayTrie<K, V> store,
          Snapshot<K, V> other,
          BinaryOperator<V> onConflict,
          ProgressListener listener) {
        store.mergeFrom(other, onConflict, listener);
      }
    },
    IN_CHUNKS {
      @Override
      public <K, V> void into(
          OverlayTrie<K, V> store,
          Snapshot<K, V> other,
          BinaryOperator<V> onConflict,
          ProgressListener listener) {
        store.mergeFromInChunks(other, onConflict, listener);
      }
    }
  }

  /**
   * Recovery included, which knows nothing of tries that were merged, but only of their records.
   */
  @ParameterizedTest
  @EnumSource
  void agreesWithATreeMapThatIsGivenTheSame(Keys keys) throws IOException {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      MemoryStorage storage = new MemoryStorage();
      NavigableMap<String, String> model = new TreeMap<>();
      try (OverlayTrie<String, String> one = open(storage);
          OverlayTrie<String, String> other = MemoryStores.open(new Latin1(), new Latin1())) {
        for (int round = 0; round < 4; round++) {
          NavigableMap<String, String> sorted = some(keys, random);
          one.putAllSorted(sorted.entrySet().iterator());
          model.putAll(sorted);
          NavigableMap<String, String> theirs = some(keys, random);
          other.clear();
          other.putAll(theirs);
          Variant variant = Variant.values()[random.nextInt(2)];
          try (Snapshot<String, String> snapshot = other.snapshot()) {
            variant.into(one, snapshot, BulkWriteTest::greaterOrNeither, progress::add);
          }
          theirs.forEach((key, value) -> model.merge(key, value, BulkWriteTest::greaterOrNeither));
          MapAgreement.assertSameContent("merged", one, model);
          MapAgreement.assertSameContent("the other", other, theirs);
        }
      }
      try (OverlayTrie<String, String> reopened = open(storage)) {
        MapAgreement.assertSameContent("reopened", reopened, model);
      }
    }
  }

  private static NavigableMap<String, String> some(Keys keys, Random random) {
    NavigableMap<String, String> some = new TreeMap<>();
    for (int i = random.nextInt(100); i > 0; i--) {
      String key = new String(keys.next(random), StandardCharsets.ISO_8859_1);
      some.put(key, "v".repeat(random.nextInt(2)) + random.nextInt(4));
    }
    return some;
  }

  /** The same for two equal values, as it is not asked then. */
  private static String greaterOrNeither(String one, String other) {
    if (one.equals("v1") != other.equals("v1")) {
      return null;
    }
    return one.compareTo(other) > 0 ? one : other;
  }

  @Test
  void putsManyChunksInBetweenAndOverWhatIsThere() {
    NavigableMap<Long, Long> model = new TreeMap<>();
    for (long step : new long[] {3, 1, 7, 2}) {
      Map<Long, Long> part = new TreeMap<>();
      LongStream.range(-10_000, 10_000).forEach(key -> part.put(key * step, key));
      store.putAllSorted(part.entrySet().iterator());
      model.putAll(part);
      assertThat(new ArrayList<>(store.entrySet())).isEqualTo(new ArrayList<>(model.entrySet()));
    }
  }

  @Test
  void writesChunksAndTellsAfterEachHowFarItIs() {
    store.putAllSorted(upTo(10_000), progress::add);
    assertThat(progress).containsExactly(4_096L, 8_192L, 10_000L);
    assertThat(lsn()).as("one record for each chunk").isEqualTo(3);
    assertThat(store).hasSize(10_000).containsEntry(9_999L, 9_999L);
    store.putAllSorted(upTo(0), progress::add);
    assertThat(progress).hasSize(3);
    store.putAllSorted(upTo(10_000), progress::add);
    assertThat(lsn()).as("what is there already is not written again").isEqualTo(3);
    assertThat(progress.subList(3, 6)).containsExactly(4_096L, 8_192L, 10_000L);
  }

  @Test
  void tellsOfWhatIsDurable() {
    store.putAllSorted(
        upTo(10_000),
        entries -> {
          assertThat(store.commit().visible().trie().size()).isEqualTo(entries);
          assertThat(store).hasSize((int) entries);
        });
  }

  @Test
  void boundsChunksByTheirBytesToo() {
    try (OverlayTrie<Long, byte[]> large = MemoryStores.open(Codecs.longs(), Codecs.bytes())) {
      int[] lengths = {400_000, 400_000, 400_000, 3_000_000, 10, 1 << 20, 20};
      large.putAllSorted(
          LongStream.range(0, lengths.length)
              .mapToObj(key -> Map.entry(key, new byte[lengths[(int) key]]))
              .iterator(),
          progress::add);
      assertThat(progress).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
      assertThat(large.get(3L)).hasSize(3_000_000);
    }
  }

  @Test
  void keepsTheChunksBeforeAnErrorAndNothingOfTheOneBegun() {
    assertThatThrownBy(
            () -> store.putAllSorted(entries(5_000, key -> 1 / (4_500 - key)), progress::add))
        .isInstanceOf(ArithmeticException.class);
    assertThat(store).hasSize(CHUNK);
    List<Entry<Long, Long>> twice = List.of(Map.entry(7L, -1L), Map.entry(7L, -2L));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.putAllSorted(twice.iterator(), progress::add))
        .withMessage(
            "the keys are not in ascending order: 7 comes after 7; the first 0 entries are written");
    List<Entry<Long, Long>> back = new ArrayList<>();
    upTo(CHUNK).forEachRemaining(back::add);
    back.add(Map.entry(-1L, 1L));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.putAllSorted(back.iterator(), progress::add))
        .withMessageEndingWith("order: -1 comes after 4095; the first 4096 entries are written");
    assertThat(store).hasSize(CHUNK).containsEntry(7L, 7L);
    assertThat(progress).containsExactly(4_096L, 4_096L);
  }

  @Test
  void refusesNullsWhereverTheyAre() {
    assertThatNullPointerException()
        .isThrownBy(() -> store.putAllSorted(null))
        .withMessage("entries");
    List<Entry<Long, Long>> faults = new ArrayList<>();
    faults.add(null);
    faults.add(new SimpleEntry<>(null, 1L));
    faults.add(new SimpleEntry<>(2L, null));
    for (Entry<Long, Long> faulty : faults) {
      List<Entry<Long, Long>> entries = new ArrayList<>(List.of(Map.entry(1L, 1L)));
      entries.add(faulty);
      assertThatNullPointerException()
          .isThrownBy(() -> store.putAllSorted(entries.iterator()))
          .withMessage(faulty == null ? "entry" : faulty.getKey() == null ? "key" : "value");
    }
    assertThatNullPointerException()
        .isThrownBy(() -> store.putAllSorted(upTo(1), null))
        .withMessage("listener");
    assertThatNullPointerException()
        .isThrownBy(() -> store.mergeFrom(store.snapshot(), null))
        .withMessage("onConflict");
    assertThat(store).isEmpty();
    assertThat(lsn()).isZero();
  }

  @Test
  void anExceptionOfTheListenerEndsItAndTakesNothingBack() {
    assertThatThrownBy(
            () ->
                store.putAllSorted(
                    upTo(10_000),
                    entries -> {
                      throw new ArithmeticException("mine");
                    }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(store).hasSize(CHUNK);
  }

  /** Even of the store that it loads, as it was when the iterator was created. */
  @Test
  void theIteratorMayReadAndWriteTheStore() {
    store.putAllSorted(upTo(10_000));
    Iterator<Entry<Long, Long>> own = store.entrySet().iterator();
    store.putAllSorted(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return own.hasNext();
          }

          @Override
          public Entry<Long, Long> next() {
            Entry<Long, Long> entry = own.next();
            if (entry.getKey() % 100 == 0) {
              store.put(-1 - entry.getKey(), 0L);
            }
            return Map.entry(entry.getKey(), store.get(entry.getKey()) + 1);
          }
        });
    assertThat(store).hasSize(10_100).containsEntry(9_999L, 10_000L).containsEntry(-9_901L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void theOperatorIsAskedOnlyWhereValuesDiffer(Variant variant) {
    store.putAll(Map.of(1L, 10L, 2L, 20L, 3L, 30L, 5L, 50L));
    Snapshot<Long, Long> before = store.snapshot();
    store.putAll(Map.of(2L, 21L, 4L, 40L, 5L, 51L));
    store.remove(3L);
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    long lsn = lsn();
    variant.into(
        store,
        before,
        (mine, theirs) -> {
          asked.add(mine + " or " + theirs);
          return theirs == 50 ? null : mine + theirs;
        },
        progress::add);
    assertThat(asked).containsExactly("21 or 20", "51 or 50");
    assertThat(store).hasToString("{1=10, 2=41, 3=30, 4=40}");
    assertThat(lsn()).isEqualTo(lsn + 1);
    assertThat(progress).last().isEqualTo(4L);
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsChangedWhereTheOperatorThrowsOrChoosesWhatIsThere(Variant variant) {
    store.put(1L, 10L);
    Snapshot<Long, Long> before = store.snapshot();
    store.put(1L, 11L);
    long lsn = lsn();
    ArithmeticException mine = new ArithmeticException("mine");
    assertThatThrownBy(
            () ->
                variant.into(
                    store,
                    before,
                    (one, other) -> {
                      throw mine;
                    },
                    progress::add))
        .isSameAs(mine);
    assertThat(progress).isEmpty();
    variant.into(store, before, (one, other) -> one, progress::add);
    assertThat(progress).containsExactly(1L);
    variant.into(store, store.snapshot(), (one, other) -> null, progress::add);
    assertThat(lsn()).isEqualTo(lsn);
    assertThat(store).hasToString("{1=11}");
  }

  /** Of several threads; a copy of what was thrown would not do. */
  @Test
  void throwsJustWhatTheOperatorThrewWhicheverThreadCalledIt() {
    store.putAllSorted(upTo(100_000));
    Snapshot<Long, Long> before = store.snapshot();
    store.putAllSorted(entries(100_000, key -> key + 1));
    ArithmeticException mine = new ArithmeticException("mine");
    for (int fatal = 0; fatal < 50_000; fatal += 5_000) {
      AtomicInteger calls = new AtomicInteger();
      int at = fatal;
      assertThatThrownBy(
              () ->
                  store.mergeFrom(
                      before,
                      (one, other) -> {
                        if (calls.getAndIncrement() == at) {
                          throw mine;
                        }
                        return other;
                      }))
          .isSameAs(mine);
    }
    assertThat(store).containsEntry(0L, 1L).containsEntry(99_999L, 100_000L);
  }

  @ParameterizedTest
  @EnumSource
  void refusesWhatIsClosedOrHasOtherCodecs(Variant variant) {
    store.put(1L, 1L);
    OverlayTrie<Long, Long> other = MemoryStores.open(Codecs.longs(), Codecs.unsignedLongs());
    Snapshot<Long, Long> foreign = other.snapshot();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> variant.into(store, foreign, Long::sum, progress::add))
        .withMessageMatching(
            "the snapshot has keys of codec .* and values of .*, and this store has .*");
    Snapshot<Long, Long> closed = store.snapshot();
    closed.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> variant.into(store, closed, Long::sum, progress::add))
        .withMessage("the snapshot is closed");
    try (OverlayTrie<Long, Long> open = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
      Snapshot<Long, Long> ofClosed = store.snapshot();
      store.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> variant.into(open, ofClosed, Long::sum, progress::add))
          .withMessage("the store is closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> variant.into(store, open.snapshot(), Long::sum, progress::add))
          .withMessage("the store is closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> store.putAllSorted(upTo(0)))
          .withMessage("the store is closed");
      assertThat(open).isEmpty();
    }
    other.close();
    assertThat(progress).isEmpty();
  }

  @Test
  void aMergeOfWhatIsNotThereTakesItAsItIs() {
    store.putAllSorted(upTo(50_000));
    try (OverlayTrie<Long, Long> empty = MemoryStores.open(Codecs.longs(), Codecs.longs());
        Snapshot<Long, Long> all = store.snapshot()) {
      empty.mergeFrom(all, Long::sum, progress::add);
      assertThat(empty).isEqualTo(store);
      assertThat(progress).containsExactly(50_000L);
      assertThat(empty.commit().visible().trie().merge(all.source.content(), (x, y) -> null))
          .as("nodes are shared, so nothing is asked")
          .isEqualTo(empty.commit().visible().trie());
    }
  }

  @Test
  void inChunksItPassesOverWhatBothHave() {
    store.putAllSorted(upTo(100_000));
    Snapshot<Long, Long> before = store.snapshot();
    store.putAllSorted(entries(20_000, key -> -key));
    long lsn = lsn();
    store.mergeFromInChunks(before, (mine, theirs) -> theirs, progress::add);
    assertThat(store).isEqualTo(before);
    assertThat(lsn()).as("19,999 entries").isEqualTo(lsn + 5);
    assertThat(progress).containsExactly(4_097L, 8_193L, 12_289L, 16_385L, 20_000L, 100_000L);
  }

  /** The store moves under the merge, which must not begin anew, or it might never end. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void whatIsWrittenMeanwhileIsMergedAgainAndNoMore(int seed) {
    int entries = 5_000;
    Random random = new Random(seed);
    store.putAllSorted(entries(entries, key -> 3 * key));
    Snapshot<Long, Long> other = store.snapshot();
    store.putAllSorted(entries(entries, key -> 2 * key));
    NavigableMap<Long, Long> model = new TreeMap<>(store);
    LongAdder asked = new LongAdder();
    AtomicInteger moves = new AtomicInteger();
    BinaryOperator<Long> onConflict = (mine, theirs) -> mine % 5 == 0 ? null : mine + theirs;
    store.mergeFrom(
        other,
        (mine, theirs) -> {
          asked.increment();
          if (moves.incrementAndGet() <= 20) {
            move(random, entries, model);
          }
          return onConflict.apply(mine, theirs);
        });
    assertThat(asked.sum()).isBetween((long) entries / 2, entries + 100L);
    other.forEach(
        (key, theirs) ->
            model.merge(key, theirs, (x, y) -> x.equals(y) ? x : onConflict.apply(x, y)));
    assertThat(new ArrayList<>(store.entrySet())).isEqualTo(new ArrayList<>(model.entrySet()));
  }

  private synchronized void move(Random random, int entries, NavigableMap<Long, Long> model) {
    long key = random.nextInt(2 * entries);
    switch (random.nextInt(3)) {
      case 0 -> {
        store.remove(key);
        model.remove(key);
      }
      case 1 -> {
        store.put(key, 3 * key); // as in the other
        model.put(key, 3 * key);
      }
      default -> {
        store.put(key, 7L);
        model.put(key, 7L);
      }
    }
  }

  @Test
  @Checks("SequencedCommit!BatchAtomicInv")
  void readersSeeWholeChunksAndWholeMerges() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<Long> seen =
          reader.submit(
              () -> {
                long looks = 0;
                while (!done.get()) {
                  try (Snapshot<Long, Long> now = store.snapshot()) {
                    int size = now.size();
                    assertThat(size % CHUNK == 0 || size == 100_000).as("size %d", size).isTrue();
                    if (size > 0) {
                      assertThat(now.lastKey()).isEqualTo(size - 1L);
                      long value = now.firstEntry().getValue();
                      assertThat(now.lastEntry().getValue() - value).isEqualTo(size - 1L);
                    }
                    looks++;
                  }
                }
                return looks;
              });
      store.putAllSorted(upTo(100_000));
      try (OverlayTrie<Long, Long> other = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
        for (long round = 1; round < 6; round++) {
          long added = round;
          other.putAllSorted(entries(100_000, key -> key + added));
          store.mergeFrom(other.snapshot(), (mine, theirs) -> theirs);
        }
      }
      done.set(true);
      assertThat(seen.get()).isPositive();
    } finally {
      reader.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void losesNoWriteOfOthers(Variant variant) throws Exception {
    int counters = 20_000;
    store.putAllSorted(entries(counters, key -> 0L));
    ExecutorService writers = Executors.newFixedThreadPool(4);
    AtomicBoolean done = new AtomicBoolean();
    LongAdder added = new LongAdder();
    try (OverlayTrie<Long, Long> other = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        results.add(
            writers.submit(
                () -> {
                  while (!done.get()) {
                    store.merge((long) random.nextInt(counters), 1L, Long::sum);
                    added.increment();
                  }
                }));
      }
      for (long theirs : new long[] {1_000_000L, 100_000_000L, 10_000_000_000L}) {
        other.putAllSorted(entries(counters, key -> theirs));
        variant.into(store, other.snapshot(), Long::sum, entries -> {});
      }
      done.set(true);
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      done.set(true);
      writers.shutdown();
    }
    assertThat(store.values())
        .as("each merged once")
        .allMatch(value -> value / 1_000_000L == 10101);
    assertThat(store.values().stream().mapToLong(value -> value % 1_000_000L).sum())
        .isEqualTo(added.sum());
  }

  /** 180 MiB in the log, and a hundredth of it in memory, as the values are the same array. */
  @Test
  void aMergeThatDoesNotFitIntoOneRecordIsRefusedAndDoneInChunks(@TempDir Path directory) {
    byte[] large = new byte[60 << 20];
    Codec<Integer> lengths =
        Codecs.of(
            "lengths", 1, n -> n == large.length ? large : new byte[n], bytes -> bytes.length);
    try (var one = OverlayTrie.open(directory.resolve("one"), Codecs.ints(), lengths);
        var other = OverlayTrie.open(directory.resolve("other"), Codecs.ints(), lengths)) {
      one.putAll(Map.of(1, 1, 2, 2, 3, 3));
      other.putAll(Map.of(1, 2, 2, 3, 3, 4));
      Snapshot<Integer, Integer> theirs = other.snapshot();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> one.mergeFrom(theirs, (x, y) -> large.length, progress::add))
          .withMessageContaining("134217728")
          .withMessageContaining("mergeFromInChunks");
      assertThat(one).isEqualTo(Map.of(1, 1, 2, 2, 3, 3));
      assertThat(progress).isEmpty();
      one.mergeFromInChunks(theirs, (x, y) -> large.length, progress::add);
      assertThat(one.values()).containsExactly(large.length, large.length, large.length);
      assertThat(progress).containsExactly(3L);
      assertThat(one.snapshot().lsn()).as("a chunk in two parts").isEqualTo(3);
    }
  }
}
