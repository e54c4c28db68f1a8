package org.overlaytrie;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.wal.LogRecord;

/**
 * What a {@link MapView} does to single keys: the writes of {@link
 * java.util.concurrent.ConcurrentMap}.
 */
abstract class ConcurrentMapView<K, V> extends MapView<K, V> {

  ConcurrentMapView(
      EntrySource source, Encoding<K, V> encoding, KeyRange range, boolean descending) {
    super(source, encoding, range, descending);
  }

  /** Sets {@code key} to {@code value} and returns what it held before, null if it was absent. */
  @Override
  public V put(K key, V value) {
    return write(OperationKind.PUT, encodeInside(key), encoding.encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code value} unless it is present; returns what it held, null if it was
   * absent.
   */
  @Override
  public V putIfAbsent(K key, V value) {
    byte[] bytes = encodeInside(key);
    return write(OperationKind.PUT_IF_ABSENT, bytes, encoding.encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code value} if it is present; returns what it held, null if it was
   * absent.
   */
  @Override
  public V replace(K key, V value) {
    byte[] bytes = encoding.encodeKey(key);
    return write(OperationKind.REPLACE, bytes, encoding.encodeValue(value, "value"));
  }

  /**
   * Sets {@code key} to {@code newValue} if it holds {@code oldValue}; returns whether it did.
   * Values are compared by their encodings.
   */
  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    byte[] expected = encoding.encodeValue(oldValue, "oldValue");
    byte[] replacement = encoding.encodeValue(newValue, "newValue");
    byte[] bytes = encoding.encodeKey(key);
    return writeIf(OperationKind.REPLACE_IF, bytes, expected, replacement);
  }

  /** Removes {@code key}; returns what it held, null if it was absent. */
  @Override
  public V remove(Object key) {
    return write(OperationKind.REMOVE, encoding.encodeKey(key), null);
  }

  /**
   * Removes {@code key} if it holds {@code value}; returns whether it did. Values are compared by
   * their encodings.
   */
  @Override
  public boolean remove(Object key, Object value) {
    byte[] expected = encoding.encodeValue(value, "value");
    return writeIf(OperationKind.REMOVE_IF, encoding.encodeKey(key), expected, null);
  }

  /**
   * The value of {@code key}; if it is absent, sets it to what {@code function} gives for it and
   * returns that, or does nothing and returns null if that is null. Atomic; if another thread puts
   * the key meanwhile, that value is returned and the function's is dropped. The function is called
   * at most once, without any lock. If it throws, nothing is changed.
   */
  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    byte[] bytes = encodeInside(key);
    byte[] present = source.read(bytes);
    if (present != null) {
      return encoding.decodeValue(present);
    }
    V value = function.apply(key);
    if (value == null) {
      return null;
    }
    byte[] encoded = encoding.encodeValue(value, "value");
    V previous = write(OperationKind.PUT_IF_ABSENT, bytes, encoded);
    return previous == null ? value : previous;
  }

  /**
   * If {@code key} is present, sets it to what {@code function} gives for it and its value, or
   * removes it if that is null; returns that, null if the key is absent. Atomic, and the function
   * may be called often, as for {@link #compute}.
   */
  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    source.requireWritable();
    byte[] bytes = encoding.encodeKey(key);
    if (!range.contains(bytes)) {
      return encoding.decodeValue(readInside(bytes));
    }
    return update(bytes, value -> value == null ? null : function.apply(key, value));
  }

  /**
   * Sets {@code key} to what {@code function} gives for it and its value, null if it is absent, or
   * removes it if that is null; returns that.
   *
   * <p>Atomic: the function's value takes the place of the one that it was given, with no other
   * write in between. If there was one, the function is called again, so it may be called any
   * number of times, without any lock. Threads that compute the same key share a force, as for any
   * write: the value that the function is given may not be durable yet. What this method returns
   * is, where writes wait ({@link Durability}). So the function should have no effects of its own,
   * and what it was given should not leave it but in its result. If it throws, nothing is changed,
   * and the exception reaches the caller when a result would.
   */
  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    return update(encodeInside(key), value -> function.apply(key, value));
  }

  /**
   * Sets {@code key} to {@code value} if it is absent, otherwise to what {@code function} gives for
   * its value and {@code value}, or removes it if that is null; returns what it then holds. Atomic,
   * and the function may be called often, as for {@link #compute}. Any number of threads that merge
   * into one key share forces, so this is the way to keep a counter: {@link Counters#addAndGet}.
   */
  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(value, "value");
    return update(encodeInside(key), old -> old == null ? value : function.apply(old, value));
  }

  /**
   * Sets each key that is present as the call begins, and still is when its turn comes, to what
   * {@code function} gives for it and its value. Each of these changes is a write of its own and
   * atomic as for {@link #compute}; all of them together are not.
   */
  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    source.requireWritable();
    EntryWalk walk = walk();
    while (walk.remaining() > 0) {
      TrieCursor cursor = walk.advance();
      K key = key(cursor);
      update(
          cursor.key(),
          value ->
              value == null ? null : Objects.requireNonNull(function.apply(key, value), "value"));
    }
  }

  /**
   * Makes all the entries of {@code map} entries of this one. As one write, which readers and
   * recovery see whole or not at all, if their encodings have at most 128 MiB together; otherwise
   * as several, of as many entries each as fit. Nothing is written if one of the keys or values
   * cannot be encoded or is outside of this view.
   */
  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    source.requireWritable();
    List<WriteSet> batches = new ArrayList<>();
    for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
      byte[] key = encodeInside(entry.getKey());
      LogRecord.Put put = new LogRecord.Put(key, encoding.encodeValue(entry.getValue(), "value"));
      if (batches.isEmpty() || !batches.get(batches.size() - 1).hasRoomFor(put)) {
        batches.add(new WriteSet());
      }
      batches.get(batches.size() - 1).add(key, put);
    }
    batches.forEach(batch -> source.write(batch.operation()));
  }

  /** Moves a key to what {@code next} makes of the value that it holds; returns that. */
  private V update(byte[] key, Function<V, V> next) {
    Update<K, V> update = new Update<>(encoding, key, next);
    source.decide(update);
    return update.result();
  }

  /** The encoded key, which must be in the range. */
  private byte[] encodeInside(K key) {
    source.requireWritable();
    byte[] bytes = encoding.encodeKey(key);
    if (!range.contains(bytes)) {
      throw range.outside(key);
    }
    return bytes;
  }

  /** Does what is asked, and tells what the key held; not if that cannot be decoded. */
  private V write(OperationKind kind, byte[] key, byte[] value) {
    source.requireWritable();
    if (!range.contains(key)) {
      return encoding.decodeValue(readInside(key));
    }
    Decision<V> decision = decision(new Operation(kind, key, null, value));
    source.decide(decision);
    return decision.result();
  }

  /** To do what is asked, and to tell what the key held; not if that cannot be decoded. */
  final Decision<V> decision(Operation operation) {
    return new Decision<>(operation.key()) {
      @Override
      V tell(byte[] current) {
        return encoding.decodeValue(current);
      }

      @Override
      Operation operation(byte[] current, V told) {
        return operation;
      }
    };
  }

  private boolean writeIf(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
    return Operation.holds(writeInside(new Operation(kind, key, expected, value)), expected);
  }

  /** Does the operation, unless its key is outside and therefore absent. */
  private byte[] writeInside(Operation operation) {
    source.requireWritable();
    return range.contains(operation.key()) ? source.write(operation) : readInside(operation.key());
  }
}
