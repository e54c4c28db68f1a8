package org.overlaytrie;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.function.Function;

/**
 * Compares two ordered maps, call by call: all that can be read from them, for each bound of a list
 * and each pair of bounds, errors included.
 */
final class MapAgreement {
  private static final boolean[] BOTH = {false, true};

  private MapAgreement() {}

  /** Every call, with every bound and pair of bounds. */
  static void assertAgree(
      NavigableMap<String, String> actual,
      NavigableMap<String, String> expected,
      List<String> bounds) {
    assertSameContent("all", actual, expected);
    for (String bound : bounds) {
      assertNavigates(actual, expected, bound);
      assertNavigatesKeys(actual.navigableKeySet(), expected.navigableKeySet(), bound);
      for (boolean inclusive : BOTH) {
        assertSamePart("headMap", actual, expected, map -> map.headMap(bound, inclusive));
        assertSamePart("tailMap", actual, expected, map -> map.tailMap(bound, inclusive));
      }
      for (String other : bounds) {
        for (boolean from : BOTH) {
          for (boolean to : BOTH) {
            assertSamePart("subMap", actual, expected, map -> map.subMap(bound, from, other, to));
          }
        }
      }
    }
  }

  /** All entries, in both directions, and all that depends on nothing else. */
  static void assertSameContent(
      String what, NavigableMap<String, String> actual, NavigableMap<String, String> expected) {
    same(what, List.copyOf(expected.entrySet()), List.copyOf(actual.entrySet()));
    same(what, expected.size(), actual.size());
    same(what, expected.isEmpty(), actual.isEmpty());
    same(what, expected.firstEntry(), actual.firstEntry());
    same(what, expected.lastEntry(), actual.lastEntry());
    same(what, outcome(expected::firstKey), outcome(actual::firstKey));
    same(what, outcome(expected::lastKey), outcome(actual::lastKey));
    same(what, List.copyOf(expected.keySet()), List.copyOf(actual.keySet()));
    same(what, List.copyOf(expected.values()), List.copyOf(actual.values()));
    same(what, list(expected.descendingKeySet()), list(actual.descendingKeySet()));
    NavigableMap<String, String> backwards = actual.descendingMap();
    same(what, list(expected.descendingMap().values()), list(backwards.values()));
    same(what, list(expected.descendingMap().entrySet()), list(backwards.entrySet()));
    same(what, list(expected.keySet()), list(backwards.descendingKeySet()));
    same(what, expected.toString(), actual.toString());
    same(what, expected.hashCode(), actual.hashCode());
    same(what, expected, actual);
    same(what, actual, expected);
  }

  private static void assertNavigates(
      NavigableMap<String, String> actual, NavigableMap<String, String> expected, String key) {
    call("get", actual, expected, map -> map.get(key));
    call("containsKey", actual, expected, map -> map.containsKey(key));
    call("getOrDefault", actual, expected, map -> map.getOrDefault(key, "default"));
    call("lowerEntry", actual, expected, map -> map.lowerEntry(key));
    call("lowerKey", actual, expected, map -> map.lowerKey(key));
    call("floorEntry", actual, expected, map -> map.floorEntry(key));
    call("floorKey", actual, expected, map -> map.floorKey(key));
    call("ceilingEntry", actual, expected, map -> map.ceilingEntry(key));
    call("ceilingKey", actual, expected, map -> map.ceilingKey(key));
    call("higherEntry", actual, expected, map -> map.higherEntry(key));
    call("higherKey", actual, expected, map -> map.higherKey(key));
  }

  private static void assertNavigatesKeys(
      NavigableSet<String> actual, NavigableSet<String> expected, String key) {
    same("contains", expected.contains(key), actual.contains(key));
    same("lower", expected.lower(key), actual.lower(key));
    same("floor", expected.floor(key), actual.floor(key));
    same("ceiling", expected.ceiling(key), actual.ceiling(key));
    same("higher", expected.higher(key), actual.higher(key));
    for (boolean inclusive : BOTH) {
      same(
          "headSet",
          outcome(() -> list(expected.headSet(key, inclusive))),
          outcome(() -> list(actual.headSet(key, inclusive))));
      same(
          "tailSet",
          outcome(() -> list(expected.tailSet(key, inclusive).descendingSet())),
          outcome(() -> list(actual.tailSet(key, inclusive).descendingSet())));
    }
  }

  /** A part of each map, or the same error. */
  private static void assertSamePart(
      String what,
      NavigableMap<String, String> actual,
      NavigableMap<String, String> expected,
      Function<NavigableMap<String, String>, NavigableMap<String, String>> part) {
    Object expectedPart = outcome(() -> part.apply(expected));
    Object actualPart = outcome(() -> part.apply(actual));
    if (!(expectedPart instanceof NavigableMap<?, ?> expectedMap)) {
      same(what, expectedPart, actualPart);
      return;
    }
    if (!(actualPart instanceof NavigableMap<?, ?> actualMap)) {
      throw new AssertionError(what + ": " + actualPart + " instead of " + expectedPart);
    }
    same(what, list(expectedMap.entrySet()), list(actualMap.entrySet()));
    same(what, expectedMap.size(), actualMap.size());
    same(what, list(expectedMap.descendingKeySet()), list(actualMap.descendingKeySet()));
    same(what, expectedMap.firstEntry(), actualMap.firstEntry());
    same(what, expectedMap.lastEntry(), actualMap.lastEntry());
  }

  /** Does the same to both and compares the outcomes. */
  static void call(
      String what,
      NavigableMap<String, String> actual,
      NavigableMap<String, String> expected,
      Function<NavigableMap<String, String>, ?> call) {
    same(what, outcome(() -> call.apply(expected)), outcome(() -> call.apply(actual)));
  }

  private interface Call {
    Object run();
  }

  /** What the call returns, or the class of what it throws. */
  private static Object outcome(Call call) {
    try {
      return call.run();
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }

  /** By the iterator alone. */
  private static List<Object> list(Collection<?> elements) {
    List<Object> list = new ArrayList<>();
    for (Iterator<?> iterator = elements.iterator(); iterator.hasNext(); ) {
      Object element = iterator.next();
      list.add(element instanceof Entry<?, ?> entry ? entry.toString() : element);
    }
    return list;
  }

  private static void same(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }
  }
}
