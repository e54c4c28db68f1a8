package org.overlaytrie;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;

/** The values of a map view. */
final class ValuesView<V> extends AbstractCollection<V> {
  private final MapView<?, V> map;

  ValuesView(MapView<?, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<V> iterator() {
    return map.iterator(map::value);
  }

  @Override
  public Spliterator<V> spliterator() {
    return map.spliterator(map::value, 0, null);
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
  public boolean contains(Object value) {
    return map.containsValue(value);
  }

  /** Removes the first entry with {@code value}, by encodings as {@link #contains}. */
  @Override
  public boolean remove(Object value) {
    return map.removeValue(value);
  }

  /** An entry whose value has changed since it was looked at stays. */
  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    Objects.requireNonNull(filter, "filter");
    return map.entrySet().removeIf(entry -> filter.test(entry.getValue()));
  }

  @Override
  public void clear() {
    map.clear();
  }
}
