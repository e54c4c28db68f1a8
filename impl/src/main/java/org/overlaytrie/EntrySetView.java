package org.overlaytrie;

import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.overlaytrie.trie.TrieCursor;

/** The entries of a map view. */
final class EntrySetView<K, V> extends AbstractSet<Entry<K, V>> {
  private final MapView<K, V> map;

  EntrySetView(MapView<K, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<Entry<K, V>> iterator() {
    return map.iterator(this::entry);
  }

  @Override
  public Spliterator<Entry<K, V>> spliterator() {
    return map.spliterator(this::entry, Spliterator.DISTINCT | Spliterator.SORTED, order());
  }

  private Entry<K, V> entry(TrieCursor cursor) {
    return new WriteThroughEntry<>(map, map.key(cursor), map.value(cursor));
  }

  /** Entries have no natural order, so that of their keys must be told even if it is natural. */
  @SuppressWarnings("unchecked") // without a comparator the keys are comparable
  private Comparator<Entry<K, V>> order() {
    Comparator<? super K> keys = map.comparator();
    return Entry.comparingByKey(keys == null ? (Comparator<K>) Comparator.naturalOrder() : keys);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  /** Values are compared by their encodings, as {@link #remove} does. */
  @Override
  public boolean contains(Object object) {
    return object instanceof Entry<?, ?> entry
        && entry.getKey() != null
        && entry.getValue() != null
        && map.contains(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean remove(Object object) {
    return object instanceof Entry<?, ?> entry
        && entry.getKey() != null
        && entry.getValue() != null
        && map.remove(entry.getKey(), entry.getValue());
  }

  /** An entry whose value has changed since it was looked at stays. */
  @Override
  public boolean removeIf(Predicate<? super Entry<K, V>> filter) {
    Objects.requireNonNull(filter, "filter");
    boolean removed = false;
    for (Entry<K, V> entry : this) {
      removed |= filter.test(entry) && remove(entry);
    }
    return removed;
  }

  @Override
  public void clear() {
    map.clear();
  }

  /** What an iterator saw; {@code setValue} also writes to the map. */
  private static final class WriteThroughEntry<K, V> extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient MapView<K, V> map;

    WriteThroughEntry(MapView<K, V> map, K key, V value) {
      super(key, value);
      this.map = map;
    }

    @Override
    public V setValue(V value) {
      map.put(getKey(), value);
      return super.setValue(value);
    }
  }
}
