package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.Snapshot.Change;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.trie.Keys;

class SnapshotTest {
  private static final int SEEDS = 6;

  private OverlayTrie<String, String> store;

  @BeforeEach
  void openWithThreeEntries() {
    store = MemoryStores.open(new Latin1(), new Latin1());
    store.putAll(Map.of("a", "1", "ab", "2", "b", "3"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource
  void agreesForEverWithACopyOfTheModelMadeAtTheSameTime(Keys keys) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (OverlayTrie<String, String> changing = MemoryStores.open(new Latin1(), new Latin1())) {
        NavigableMap<String, String> model = new TreeMap<>();
        List<Snapshot<String, String>> snapshots = new ArrayList<>();
        List<NavigableMap<String, String>> models = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
          if (i % 80 == 0) {
            snapshots.add(changing.snapshot());
            models.add(new TreeMap<>(model));
          }
          String key = string(keys.next(random));
          String value = "v" + random.nextInt(3);
          if (random.nextInt(3) == 0) {
            assertThat(changing.remove(key)).isEqualTo(model.remove(key));
          } else {
            assertThat(changing.put(key, value)).isEqualTo(model.put(key, value));
          }
        }
        List<String> bounds =
            Stream.generate(() -> string(keys.next(random))).distinct().limit(4).toList();
        for (int i = 0; i < snapshots.size(); i++) {
          MapAgreement.assertAgree(snapshots.get(i), models.get(i), bounds);
          assertRanks(snapshots.get(i), models.get(i));
          for (int j = 0; j < snapshots.size(); j++) {
            assertThat(snapshots.get(i).diff(snapshots.get(j)))
                .as("%s, seed %d", keys, seed)
                .containsExactlyElementsOf(changes(models.get(i), models.get(j)));
          }
        }
      }
    }
  }

  private static void assertRanks(
      Snapshot<String, String> snapshot, NavigableMap<String, String> model) {
    long rank = 0;
    for (Entry<String, String> entry : model.entrySet()) {
      assertThat(snapshot.entryAt(rank)).isEqualTo(entry);
      assertThat(snapshot.rankOf(entry.getKey())).isEqualTo(rank++);
    }
    long end = rank;
    assertThatThrownBy(() -> snapshot.entryAt(end)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static List<Change<String, String>> changes(
      Map<String, String> before, Map<String, String> after) {
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(before.get(key), after.get(key)))
        .map(key -> new Change<>(key, before.get(key), after.get(key)))
        .toList();
  }

  private static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void refusesEveryWriteEvenOneThatWouldChangeNothing() {
    Snapshot<String, String> snapshot = store.snapshot();
    for (ConcurrentNavigableMap<String, String> map :
        List.of(
            snapshot,
            snapshot.descendingMap(),
            snapshot.headMap("b", true),
            snapshot.prefixMap("a"),
            snapshot.tailMap("zz"))) {
      for (ThrowingCallable write : writes(map)) {
        assertThatThrownBy(write).isInstanceOf(UnsupportedOperationException.class);
      }
      for (ThrowingCallable write : map.isEmpty() ? List.<ThrowingCallable>of() : changes(map)) {
        assertThatThrownBy(write).isInstanceOf(UnsupportedOperationException.class);
      }
    }
    assertThat(snapshot).hasToString("{a=1, ab=2, b=3}");
    assertThat(store).hasToString("{a=1, ab=2, b=3}");
  }

  private static List<ThrowingCallable> writes(ConcurrentNavigableMap<String, String> map) {
    return List.of(
        () -> map.put("a", "9"),
        () -> map.putIfAbsent("a", "9"),
        () -> map.replace("absent", "9"),
        () -> map.replace("absent", "8", "9"),
        () -> map.remove("absent"),
        () -> map.remove("absent", "9"),
        () -> map.compute("absent", (key, value) -> null),
        () -> map.computeIfAbsent("a", key -> null),
        () -> map.computeIfPresent("absent", (key, value) -> null),
        () -> map.merge("a", "9", String::concat),
        () -> map.replaceAll((key, value) -> value),
        () -> map.putAll(Map.of("x", "9")),
        map::clear,
        map::pollFirstEntry,
        map::pollLastEntry,
        () -> map.keySet().clear(),
        () -> map.navigableKeySet().pollFirst(),
        () -> map.navigableKeySet().remove("absent"),
        () -> map.values().clear(),
        () -> map.values().remove("absent"),
        () -> map.entrySet().clear(),
        () -> map.entrySet().remove(Map.entry("absent", "9")));
  }

  private static List<ThrowingCallable> changes(ConcurrentNavigableMap<String, String> map) {
    return List.of(
        () -> map.entrySet().iterator().next().setValue("9"),
        () -> removeFirst(map.entrySet().iterator()),
        () -> removeFirst(map.keySet().iterator()),
        () -> removeFirst(map.values().iterator()),
        () -> map.keySet().removeIf(key -> true),
        () -> map.values().removeIf(value -> true),
        () -> map.entrySet().removeIf(entry -> true),
        () -> map.keySet().retainAll(List.of()),
        () -> map.values().removeAll(List.copyOf(map.values())));
  }

  private static void removeFirst(Iterator<?> iterator) {
    iterator.next();
    iterator.remove();
  }

  @Test
  void throwsFromEveryCallOnceItIsClosed() {
    Snapshot<String, String> snapshot = store.snapshot();
    List<ThrowingCallable> reads = reads(snapshot);
    snapshot.close();
    snapshot.close();
    for (ThrowingCallable read : reads) {
      assertThatThrownBy(read)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the snapshot is closed");
    }
    assertThatThrownBy(() -> snapshot.put("a", "9")).isInstanceOf(IllegalStateException.class);
    assertThat(store).as("the store is open").hasSize(3);
  }

  @Test
  void throwsFromEveryCallOnceTheStoreIsClosed() {
    Snapshot<String, String> snapshot = store.snapshot();
    List<ThrowingCallable> reads = reads(snapshot);
    Iterator<String> begun = snapshot.keySet().iterator();
    EdgeCursor<String, String> cursor = snapshot.edgeCursor();
    store.close();
    for (ThrowingCallable read : reads) {
      assertThatThrownBy(read)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the store is closed");
    }
    assertThatThrownBy(store::snapshot).isInstanceOf(IllegalStateException.class);
    assertThat(begun.next()).isEqualTo("a");
    assertThat(cursor.descend('a')).isTrue();
    assertThat(cursor.value()).isEqualTo("1");
    snapshot.close();
  }

  private static List<ThrowingCallable> reads(Snapshot<String, String> snapshot) {
    NavigableMap<String, String> view = snapshot.descendingMap().headMap("a", true);
    return List.of(
        () -> snapshot.get("a"),
        () -> snapshot.containsKey("a"),
        () -> snapshot.containsValue("1"),
        () -> snapshot.getOrDefault("a", "9"),
        snapshot::size,
        snapshot::isEmpty,
        snapshot::firstKey,
        snapshot::lastEntry,
        () -> snapshot.floorKey("a"),
        () -> snapshot.higherEntry("a"),
        () -> snapshot.rankOf("a"),
        () -> snapshot.entryAt(0),
        () -> snapshot.longestPrefixEntry("abc"),
        () -> snapshot.prefixMap("a").size(),
        snapshot::edgeCursor,
        snapshot::lsn,
        () -> snapshot.diff(snapshot),
        snapshot::toString,
        snapshot::hashCode,
        () -> snapshot.forEach((key, value) -> {}),
        () -> snapshot.keySet().iterator(),
        () -> snapshot.entrySet().stream().count(),
        () -> snapshot.values().spliterator(),
        () -> view.get("a"),
        view::size,
        view::firstKey,
        () -> view.navigableKeySet().iterator());
  }

  @Test
  void tellsTheLsnOfTheLastChangeThatItShows() {
    long lsn = store.snapshot().lsn();
    assertThat(lsn).isPositive();
    store.remove("absent");
    assertThat(store.snapshot().lsn()).isEqualTo(lsn);
    store.remove("a");
    assertThat(store.snapshot().lsn()).isEqualTo(lsn + 1);
  }

  @Test
  void listsWhatWasChangedAndNotWhatWasChangedBack() {
    Snapshot<String, String> before = store.snapshot();
    store.put("b", "9");
    store.put("b", "3");
    store.put("a", "8");
    store.remove("ab");
    store.put("c", "4");
    Snapshot<String, String> after = store.snapshot();
    assertThat(before.diff(after))
        .containsExactly(
            new Change<>("a", "1", "8"),
            new Change<>("ab", "2", null),
            new Change<>("c", null, "4"));
    assertThat(after.diff(before).map(Change::key)).containsExactly("a", "ab", "c");
    assertThat(after.diff(store.snapshot())).isEmpty();
  }

  @Test
  void comparesOnlyOpenSnapshotsOfTheSameStore() {
    Snapshot<String, String> snapshot = store.snapshot();
    try (OverlayTrie<String, String> other = MemoryStores.open(new Latin1(), new Latin1())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> snapshot.diff(other.snapshot()))
          .withMessageContaining("same open store");
    }
    assertThatNullPointerException().isThrownBy(() -> snapshot.diff(null));
    Snapshot<String, String> closed = store.snapshot();
    Stream<Change<String, String>> begun = closed.diff(snapshot);
    closed.close();
    assertThatThrownBy(() -> snapshot.diff(closed)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> closed.diff(snapshot)).isInstanceOf(IllegalStateException.class);
    assertThat(begun).isEmpty();
  }

  /** The moment between the commit of a write and its force, when only the tip has it. */
  @Test
  @Checks("SequencedCommit!ObservedIsDurableInv")
  void showsNothingThatIsNotDurableYet() {
    AtomicReference<OverlayTrie<String, String>> observed = new AtomicReference<>();
    List<Snapshot<String, String>> between = new ArrayList<>();
    ProtocolEvents events =
        new ProtocolEvents() {
          @Override
          public void commitVersion(long lsn) {
            between.add(observed.get().snapshot());
          }
        };
    observed.set(MemoryStores.open(new Latin1(), new Latin1(), events));
    observed.get().put("a", "1");
    observed.get().put("a", "2");
    assertThat(between).hasSize(2);
    assertThat(between.get(0)).isEmpty();
    assertThat(between.get(1)).hasToString("{a=1}");
    assertThat(between.get(1).lsn()).isEqualTo(1);
    observed.get().close();
  }

  /** What is read from it later is no read of what is visible then. */
  @Test
  void isReadOnceAsItIsTaken() {
    AtomicInteger reads = new AtomicInteger();
    ProtocolEvents events =
        new ProtocolEvents() {
          @Override
          public void readVisible(long lsn, byte[] key, byte[] result) {
            reads.incrementAndGet();
          }
        };
    try (OverlayTrie<String, String> observed =
        MemoryStores.open(new Latin1(), new Latin1(), events)) {
      observed.put("a", "1");
      Snapshot<String, String> snapshot = observed.snapshot();
      assertThat(reads).hasValue(1);
      assertThat(snapshot.get("a")).isEqualTo("1");
      assertThat(snapshot.headMap("b")).hasSize(1);
      assertThat(snapshot.diff(snapshot)).isEmpty();
      assertThat(reads).hasValue(1);
    }
  }
}
