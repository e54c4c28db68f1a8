package org.overlaytrie;

import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/**
 * The entries of a source whose keys are in a range, in one of the two directions: the whole store,
 * its sub maps and descending maps, and theirs.
 */
class NavigableMapView<K, V> extends ConcurrentMapView<K, V> {

  NavigableMapView(
      EntrySource source, Encoding<K, V> encoding, KeyRange range, boolean descending) {
    super(source, encoding, range, descending);
  }

  /**
   * The first key. Never waits.
   *
   * @throws NoSuchElementException if there is none
   */
  @Override
  public K firstKey() {
    return key(requireEntry(end(true)));
  }

  /**
   * The last key. Never waits.
   *
   * @throws NoSuchElementException if there is none
   */
  @Override
  public K lastKey() {
    return key(requireEntry(end(false)));
  }

  /** The first entry, null if there is none. It is a copy that stays as it is. Never waits. */
  @Override
  public Entry<K, V> firstEntry() {
    return entryOrNull(end(true));
  }

  /** The last entry, null if there is none. It is a copy that stays as it is. Never waits. */
  @Override
  public Entry<K, V> lastEntry() {
    return entryOrNull(end(false));
  }

  /** The last entry before {@code key}, null if there is none; a copy. Never waits. */
  @Override
  public Entry<K, V> lowerEntry(K key) {
    return entryOrNull(before(key, false));
  }

  /** The last key before {@code key}, null if there is none. Never waits. */
  @Override
  public K lowerKey(K key) {
    return keyOrNull(before(key, false));
  }

  /** The entry of {@code key} or the last before it, null if there is none; a copy. Never waits. */
  @Override
  public Entry<K, V> floorEntry(K key) {
    return entryOrNull(before(key, true));
  }

  /** {@code key} if it is present, or the last before it, null if there is none. Never waits. */
  @Override
  public K floorKey(K key) {
    return keyOrNull(before(key, true));
  }

  /** The entry of {@code key} or the first after it, null if there is none; a copy. Never waits. */
  @Override
  public Entry<K, V> ceilingEntry(K key) {
    return entryOrNull(after(key, true));
  }

  /** {@code key} if it is present, or the first after it, null if there is none. Never waits. */
  @Override
  public K ceilingKey(K key) {
    return keyOrNull(after(key, true));
  }

  /** The first entry after {@code key}, null if there is none; a copy. Never waits. */
  @Override
  public Entry<K, V> higherEntry(K key) {
    return entryOrNull(after(key, false));
  }

  /** The first key after {@code key}, null if there is none. Never waits. */
  @Override
  public K higherKey(K key) {
    return keyOrNull(after(key, false));
  }

  /**
   * Removes an entry that was the first at a moment during the call and still had the same value
   * when it was removed; returns it, null if there was none. No two calls return the same entry. As
   * with {@link java.util.concurrent.ConcurrentSkipListMap}, entries that others put before it
   * meanwhile may stay.
   */
  @Override
  public Entry<K, V> pollFirstEntry() {
    return poll(true);
  }

  /** As {@link #pollFirstEntry}, with the last entry. */
  @Override
  public Entry<K, V> pollLastEntry() {
    return poll(false);
  }

  private Entry<K, V> poll(boolean first) {
    source.requireWritable();
    while (true) {
      TrieCursor cursor = end(first);
      if (cursor == null) {
        return null;
      }
      Entry<K, V> entry = entryOrNull(cursor); // a codec that throws must do so before the write
      byte[] value = cursor.value();
      Operation removal = new Operation(OperationKind.REMOVE_IF, cursor.key(), value, null);
      if (Operation.holds(source.write(removal), value)) {
        return entry;
      }
    }
  }

  /**
   * The same entries in the opposite order. A view: it shows this map's changes, and writes through
   * it are writes to this map.
   */
  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return new NavigableMapView<>(source, encoding, range, !descending);
  }

  /** The keys; a view whose iterators are as for {@link #entrySet}. */
  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  /** The keys; a view whose iterators are as for {@link #entrySet}. */
  @Override
  public NavigableSet<K> navigableKeySet() {
    return new KeySetView<>(this, null);
  }

  /** The keys in the opposite order; a view whose iterators are as for {@link #entrySet}. */
  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  /**
   * The entries from {@code fromKey} to {@code toKey}, in the order of this map. A view: it shows
   * this map's changes, and writes through it are writes to this map. Keys outside of it are absent
   * in it; putting one throws {@link IllegalArgumentException}.
   *
   * @throws IllegalArgumentException if {@code fromKey} comes after {@code toKey}, or if this map
   *     is such a view itself and does not reach so far
   */
  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K fromKey, boolean fromInclusive, K toKey, boolean toInclusive) {
    return part(bound(fromKey, "fromKey", fromInclusive), bound(toKey, "toKey", toInclusive));
  }

  /**
   * The entries before {@code toKey}; a view as by {@link #subMap(Object, boolean, Object,
   * boolean)}.
   */
  @Override
  public ConcurrentNavigableMap<K, V> headMap(K toKey, boolean inclusive) {
    return part(null, bound(toKey, "toKey", inclusive));
  }

  /**
   * The entries after {@code fromKey}; a view as by {@link #subMap(Object, boolean, Object,
   * boolean)}.
   */
  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K fromKey, boolean inclusive) {
    return part(bound(fromKey, "fromKey", inclusive), null);
  }

  /** The same with {@code fromKey} inside and {@code toKey} outside. */
  @Override
  public ConcurrentNavigableMap<K, V> subMap(K fromKey, K toKey) {
    return subMap(fromKey, true, toKey, false);
  }

  /** The same with {@code toKey} outside. */
  @Override
  public ConcurrentNavigableMap<K, V> headMap(K toKey) {
    return headMap(toKey, false);
  }

  /** The same with {@code fromKey} inside. */
  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K fromKey) {
    return tailMap(fromKey, true);
  }

  private Bound bound(K key, String name, boolean inclusive) {
    return new Bound(key, encoding.encodeKey(Objects.requireNonNull(key, name)), inclusive);
  }

  private ConcurrentNavigableMap<K, V> part(Bound from, Bound to) {
    KeyRange part = descending ? range.narrow(to, from) : range.narrow(from, to);
    return new NavigableMapView<>(source, encoding, part, descending);
  }

  /** At the first or the last entry in the order of this map; null if there is none. */
  private TrieCursor end(boolean first) {
    Trie trie = source.content();
    return first == descending ? range.last(trie) : range.first(trie);
  }

  /** At the last entry before {@code key}, or at it if that is allowed; null if there is none. */
  private TrieCursor before(K key, boolean inclusive) {
    byte[] bytes = encoding.encodeKey(key);
    return descending ? above(bytes, inclusive) : below(bytes, inclusive);
  }

  /** At the first entry after {@code key}, or at it if that is allowed; null if there is none. */
  private TrieCursor after(K key, boolean inclusive) {
    byte[] bytes = encoding.encodeKey(key);
    return descending ? below(bytes, inclusive) : above(bytes, inclusive);
  }

  private TrieCursor below(byte[] key, boolean inclusive) {
    return range.lastBefore(source.content(), inclusive ? Bound.successor(key) : key);
  }

  private TrieCursor above(byte[] key, boolean inclusive) {
    return range.firstFrom(source.content(), inclusive ? key : Bound.successor(key));
  }

  private static TrieCursor requireEntry(TrieCursor cursor) {
    if (cursor == null) {
      throw new NoSuchElementException("the map is empty");
    }
    return cursor;
  }

  private K keyOrNull(TrieCursor cursor) {
    return cursor == null ? null : key(cursor);
  }

  Entry<K, V> entryOrNull(TrieCursor cursor) {
    return cursor == null ? null : new SimpleImmutableEntry<>(key(cursor), value(cursor));
  }
}
