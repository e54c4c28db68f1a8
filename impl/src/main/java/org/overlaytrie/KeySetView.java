package org.overlaytrie;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NavigableSet;
import java.util.Spliterator;

/** The keys of a map view; its sub sets are the keys of that map's sub maps. */
final class KeySetView<K, V> extends AbstractSet<K> implements NavigableSet<K> {
  private final NavigableMapView<K, V> map;

  KeySetView(NavigableMapView<K, V> map) {
    this.map = map;
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
    return map.descendingKeySet();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return map.subMap(from, fromInclusive, to, toInclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return map.headMap(to, inclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return map.tailMap(from, inclusive).navigableKeySet();
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
