package org.overlaytrie;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.trie.TrieCursor;

/**
 * The entries of a source whose keys are in a range, in one of the two directions: lookups, and the
 * collections of all. {@link ConcurrentMapView} adds the writes, {@link NavigableMapView} what has
 * to do with the order.
 *
 * <p>A call reads the source once and answers from what it found, or makes one write, unless it
 * says otherwise. Nothing is cached, so a view shows at any time what its source holds.
 */
abstract class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> {
  final EntrySource source;
  final Encoding<K, V> encoding;
  final KeyRange range;
  final boolean descending;

  MapView(EntrySource source, Encoding<K, V> encoding, KeyRange range, boolean descending) {
    this.source = source;
    this.encoding = encoding;
    this.range = range;
    this.descending = descending;
  }

  /** The value of {@code key}, null if it is absent. Never waits. */
  @Override
  public V get(Object key) {
    return encoding.decodeValue(read(key));
  }

  /** Whether {@code key} has a value. Never waits. */
  @Override
  public boolean containsKey(Object key) {
    return read(key) != null;
  }

  /**
   * Whether any key has {@code value}; looks at all entries. Values are compared by their
   * encodings. Never waits.
   */
  @Override
  public boolean containsValue(Object value) {
    return next(walk(), encoding.encodeValue(value, "value")) != null;
  }

  /** Removes the first entry that has {@code value}, if it still has it; false if none does. */
  boolean removeValue(Object value) {
    source.requireWritable();
    byte[] bytes = encoding.encodeValue(value, "value");
    EntryWalk walk = walk();
    for (TrieCursor at = next(walk, bytes); at != null; at = next(walk, bytes)) {
      Operation removal = new Operation(OperationKind.REMOVE_IF, at.key(), bytes, null);
      if (Operation.holds(source.write(removal), bytes)) {
        return true;
      }
    }
    return false;
  }

  /** Goes on to the next entry with {@code value}; null if there is none. */
  private static TrieCursor next(EntryWalk walk, byte[] value) {
    while (walk.remaining() > 0) {
      TrieCursor cursor = walk.advance();
      if (Arrays.equals(cursor.value(), value)) {
        return cursor;
      }
    }
    return null;
  }

  /**
   * Removes all entries, as one write: readers and recovery see all of them or none. The size of
   * this write, its cost and that of its recovery do not depend on how many entries there are.
   */
  @Override
  public void clear() {
    source.write(Operation.batch(range.removal()));
  }

  /**
   * The number of entries, at most {@link Integer#MAX_VALUE}. O(1) for a whole store; for a range
   * as long as looking up its bounds. Never waits.
   */
  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, range.size(source.content()));
  }

  /** Whether there is no entry; cost as for {@link #size}. Never waits. */
  @Override
  public boolean isEmpty() {
    return range.size(source.content()) == 0;
  }

  /**
   * The entries in the order of this map. An iterator, a spliterator or a stream shows the map as
   * it was when it was created; an iterator's {@code remove} and the {@code setValue} of its
   * entries write to the map.
   */
  @Override
  public Set<Entry<K, V>> entrySet() {
    return new EntrySetView<>(this);
  }

  @Override
  public abstract NavigableSet<K> keySet();

  /** The values in the order of their keys; iterators as for {@link #entrySet}. */
  @Override
  public Collection<V> values() {
    return new ValuesView<>(this);
  }

  /**
   * The order of the keys; null if it is their natural order. It agrees with that of their
   * encodings.
   */
  @Override
  public Comparator<? super K> comparator() {
    Comparator<? super K> order = encoding.keyOrder();
    return descending ? Collections.reverseOrder(order) : order;
  }

  /** Whether {@code key} has {@code value}, by their encodings. */
  boolean contains(Object key, Object value) {
    return Operation.holds(read(key), encoding.encodeValue(value, "value"));
  }

  /** All entries in the order of this map, as they are now. */
  EntryWalk walk() {
    return range.walk(source.content(), descending);
  }

  <T> Iterator<T> iterator(Function<TrieCursor, T> element) {
    return new WalkIterator<>(walk(), element, this::removeKey);
  }

  <T> Spliterator<T> spliterator(
      Function<TrieCursor, T> element, int more, Comparator<? super T> order) {
    return new WalkSpliterator<>(walk(), element, more, order);
  }

  K key(TrieCursor cursor) {
    return cursor.key(encoding.keyReader);
  }

  V value(TrieCursor cursor) {
    return cursor.value(encoding.valueReader);
  }

  /** The encoded value of {@code key}, null if it is absent or outside. */
  private byte[] read(Object key) {
    return readInside(encoding.encodeKey(key));
  }

  /** Reads even what it then does not show, because that says whether the source is closed. */
  byte[] readInside(byte[] key) {
    byte[] value = source.read(key);
    return range.contains(key) ? value : null;
  }

  private void removeKey(byte[] key) {
    source.write(new Operation(OperationKind.REMOVE, key, null, null));
  }
}
