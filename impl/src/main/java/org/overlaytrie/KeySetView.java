package org.overlaytrie;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NavigableSet;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * The keys of a map view; its sub sets are the keys of that map's sub maps. Adds keys if it knows
 * the value to give them.
 */
final class KeySetView<K, V> extends AbstractSet<K> implements NavigableSet<K> {
  private final NavigableMapView<K, V> map;

  /** What a key that is added is mapped to; null if none can be added. */
  private final V mappedValue;

  KeySetView(NavigableMapView<K, V> map, V mappedValue) {
    this.map = map;
    this.mappedValue = mappedValue;
  }

  @Override
  public boolean add(K key) {
    if (mappedValue == null) {
      throw new UnsupportedOperationException(
          "these are a map's keys, and nothing says which values new ones have: see"
              + " navigableKeySet(mappedValue)");
    }
    return map.putIfAbsent(key, mappedValue) == null;
  }

  @Override
  public Iterator<K> iterator() {
    return map.iterator(map::key);
  }

  @Override
  public Spliterator<K> spliterator() {
    return map.spliterator(map::key, Spliterator.DISTINCT | Spliterator.SORTED, map.comparator());
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object key) {
    return map.containsKey(key);
  }

  @Override
  public boolean remove(Object key) {
    return map.remove(key) != null;
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Comparator<? super K> comparator() {
    return map.comparator();
  }

  @Override
  public K first() {
    return map.firstKey();
  }

  @Override
  public K last() {
    return map.lastKey();
  }

  @Override
  public K lower(K key) {
    return map.lowerKey(key);
  }

  @Override
  public K floor(K key) {
    return map.floorKey(key);
  }

  @Override
  public K ceiling(K key) {
    return map.ceilingKey(key);
  }

  @Override
  public K higher(K key) {
    return map.higherKey(key);
  }

  @Override
  public K pollFirst() {
    return keyOrNull(map.pollFirstEntry());
  }

  @Override
  public K pollLast() {
    return keyOrNull(map.pollLastEntry());
  }

  private static <K> K keyOrNull(Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return keysOf(map.descendingMap());
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return keysOf(map.subMap(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return keysOf(map.headMap(to, inclusive));
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return keysOf(map.tailMap(from, inclusive));
  }

  private NavigableSet<K> keysOf(ConcurrentNavigableMap<K, V> part) {
    return new KeySetView<>((NavigableMapView<K, V>) part, mappedValue); // all views are such
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
