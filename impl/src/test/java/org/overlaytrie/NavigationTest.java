package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.MapAgreement.assertAgree;
import static org.overlaytrie.MapAgreement.assertSameContent;
import static org.overlaytrie.MapAgreement.call;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.trie.Keys;
import org.overlaytrie.wal.MemoryStorage;

/**
 * The store and its views against a {@code TreeMap}, on keys that strain a radix trie: every call
 * that looks for something, every kind of bound, views of views in both directions, and writes
 * through them. {@code -Doverlaytrie.seed=N} runs seed N alone.
 */
class NavigationTest {
  private static final int SEEDS = 8;
  private static final int MAX_BOUNDS = 14;
  private static final int VIEWS = 25;
  private static final int WRITES = 400;

  @ParameterizedTest
  @EnumSource
  void everyCallAgreesWithATreeMapForEveryBound(Keys keys) {
    forEachSeed(
        keys,
        (store, random) -> {
          NavigableMap<String, String> model = fill(store, keys, random);
          assertAgree(store, model, bounds(model, keys, random));
          NavigableMap<String, String> backwards = model.descendingMap();
          assertAgree(store.descendingMap(), backwards, bounds(model, keys, random));
          for (int i = 0; i < VIEWS; i++) {
            UnaryOperator<NavigableMap<String, String>> view =
                view(model, bounds(model, keys, random), random);
            List<String> bounds = bounds(model, keys, random).subList(0, 5);
            assertAgree(view.apply(store), view.apply(model), bounds);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void writesThroughViewsAgreeWithATreeMap(Keys keys) {
    forEachSeed(
        keys,
        (store, random) -> {
          NavigableMap<String, String> model = fill(store, keys, random);
          NavigableMap<String, String> actual = store;
          NavigableMap<String, String> expected = model;
          for (int i = 0; i < WRITES; i++) {
            if (i % 10 == 0) {
              UnaryOperator<NavigableMap<String, String>> view =
                  view(model, bounds(model, keys, random), random);
              actual = view.apply(store);
              expected = view.apply(model);
            }
            write(actual, expected, string(keys.next(random)), "v" + random.nextInt(3), random);
            assertSameContent("view after write " + i, actual, expected);
          }
          assertSameContent("store", store, model);
        });
  }

  @ParameterizedTest
  @EnumSource
  void ranksAndSelectsLikeAList(Keys keys) {
    forEachSeed(
        keys,
        (store, random) -> {
          NavigableMap<String, String> model = fill(store, keys, random);
          List<Map.Entry<String, String>> entries = new ArrayList<>(model.entrySet());
          for (int rank = 0; rank < entries.size(); rank++) {
            assertThat(store.entryAt(rank)).isEqualTo(entries.get(rank));
            assertThat(store.rankOf(entries.get(rank).getKey())).isEqualTo(rank);
          }
          for (String bound : bounds(model, keys, random)) {
            assertThat(store.rankOf(bound)).isEqualTo(model.headMap(bound).size());
          }
          for (long rank : new long[] {-1, entries.size(), Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> store.entryAt(rank))
                .isInstanceOf(IndexOutOfBoundsException.class);
          }
        });
  }

  private interface Check {
    void run(OverlayTrie<String, String> store, Random random);
  }

  private static void forEachSeed(Keys keys, Check check) {
    Long only = Long.getLong("overlaytrie.seed");
    for (long seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); seed++) {
      try (OverlayTrie<String, String> store = open()) {
        check.run(store, new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            keys + ", -Doverlaytrie.seed=" + seed + " runs it alone: " + e.getMessage(), e);
      }
    }
  }

  private static OverlayTrie<String, String> open() {
    try {
      return OverlayTrie.open(
          new MemoryStorage(),
          new Latin1(),
          new Latin1(),
          Options.defaults().withWalSegmentBytes(4_096),
          ProtocolEvents.NONE,
          Parking.LOCK_SUPPORT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NavigableMap<String, String> fill(
      OverlayTrie<String, String> store, Keys keys, Random random) {
    NavigableMap<String, String> model = new TreeMap<>();
    int[] sizes = {0, 1, 2, 3, 8, 40, 300};
    for (int i = sizes[random.nextInt(sizes.length)]; i > 0; i--) {
      String key = string(keys.next(random));
      store.put(key, "v" + i);
      model.put(key, "v" + i);
    }
    return model;
  }

  /** Keys, their neighbours, the least key, one above all, and others; not too many, shuffled. */
  private static List<String> bounds(Map<String, String> model, Keys keys, Random random) {
    List<String> some = new ArrayList<>(model.keySet());
    Collections.shuffle(some, random);
    TreeSet<String> bounds = new TreeSet<>();
    for (String key : some.subList(0, Math.min(3, some.size()))) {
      bounds.add(key);
      bounds.add(key + '\0');
      bounds.add(key.isEmpty() ? key : key.substring(0, key.length() - 1));
    }
    while (bounds.size() < MAX_BOUNDS - 2) {
      bounds.add(string(keys.next(random)) + (random.nextBoolean() ? "" : "\u00FF"));
    }
    bounds.add("");
    bounds.add("\u00FF\u00FF\u00FF\u00FF\u00FF");
    List<String> shuffled = new ArrayList<>(bounds);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** A view of a view of a view that both maps have. */
  private static UnaryOperator<NavigableMap<String, String>> view(
      NavigableMap<String, String> model, List<String> bounds, Random random) {
    List<UnaryOperator<NavigableMap<String, String>>> steps = new ArrayList<>();
    NavigableMap<String, String> view = model;
    for (int tries = 1 + random.nextInt(5); tries > 0; tries--) {
      String from = bounds.get(random.nextInt(bounds.size()));
      String to = bounds.get(random.nextInt(bounds.size()));
      boolean fromInclusive = random.nextBoolean();
      boolean toInclusive = random.nextBoolean();
      UnaryOperator<NavigableMap<String, String>> step =
          switch (random.nextInt(4)) {
            case 0 -> map -> map.headMap(to, toInclusive);
            case 1 -> map -> map.tailMap(from, fromInclusive);
            case 2 -> map -> map.subMap(from, fromInclusive, to, toInclusive);
            default -> NavigableMap::descendingMap;
          };
      try {
        view = step.apply(view);
        steps.add(step);
      } catch (IllegalArgumentException outside) {
        // No such view; that both maps say so is compared elsewhere.
      }
    }
    return map -> {
      NavigableMap<String, String> result = map;
      for (UnaryOperator<NavigableMap<String, String>> step : steps) {
        result = step.apply(result);
      }
      return result;
    };
  }

  private static void write(
      NavigableMap<String, String> actual,
      NavigableMap<String, String> expected,
      String key,
      String value,
      Random random) {
    String other = "v" + random.nextInt(3);
    switch (random.nextInt(18)) {
      case 0, 1, 2 -> call("put", actual, expected, map -> map.put(key, value));
      case 3 -> call("remove", actual, expected, map -> map.remove(key));
      case 4 -> call("remove if", actual, expected, map -> map.remove(key, value));
      case 5 -> call("putIfAbsent", actual, expected, map -> map.putIfAbsent(key, value));
      case 6 -> call("replace", actual, expected, map -> map.replace(key, value));
      case 7 -> call("replace if", actual, expected, map -> map.replace(key, other, value));
      case 8 -> call("pollFirstEntry", actual, expected, NavigableMap::pollFirstEntry);
      case 9 -> call("pollLastEntry", actual, expected, NavigableMap::pollLastEntry);
      case 10 -> call("pollFirst", actual, expected, map -> map.navigableKeySet().pollFirst());
      case 11 -> call("computeIfAbsent", actual, expected, m -> m.computeIfAbsent(key, k -> value));
      case 12 ->
          call(
              "computeIfPresent",
              actual,
              expected,
              map -> map.computeIfPresent(key, (k, v) -> v.equals(other) ? null : v + 'c'));
      case 13 ->
          call("compute", actual, expected, map -> map.compute(key, (k, v) -> v + "," + value));
      case 14 ->
          call(
              "merge",
              actual,
              expected,
              map -> map.merge(key, value, (v, w) -> v.length() > 5 ? null : v + w));
      case 15 -> call("keySet.remove", actual, expected, map -> map.keySet().remove(key));
      case 16 ->
          call("removeIf", actual, expected, map -> map.values().removeIf(v -> v.equals(value)));
      default -> {
        if (random.nextInt(8) == 0) {
          actual.clear();
          expected.clear();
        }
        actual.replaceAll((k, v) -> v.length() > 8 ? "short" : v + 'r');
        expected.replaceAll((k, v) -> v.length() > 8 ? "short" : v + 'r');
      }
    }
  }

  private static String string(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }
}
