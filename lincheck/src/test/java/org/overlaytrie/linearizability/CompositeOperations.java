package org.overlaytrie.linearizability;

import static org.overlaytrie.linearizability.StoreOperations.toInteger;

import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.Counters;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Transaction;
import org.overlaytrie.TransactionConflictException;

/**
 * The store's operations that write several keys, or compute what they write: batches, removals of
 * ranges, transactions, counters; and reads of the whole map, which must see all of each or
 * nothing.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class CompositeOperations {
  private final OverlayTrie<Long, Long> store = new StoreOperations().store;

  @Operation
  public void putBoth(@Param(name = "value") int value) {
    store.writeBatch(
        batch -> {
          batch.put(1L, (long) value);
          batch.put(2L, (long) value);
        });
  }

  /** Leaves one key alone: no moment without any is to be seen. */
  @Operation
  public void replaceAllBy(@Param(name = "key") int key) {
    store.writeBatch(
        batch -> {
          batch.removeRange(0L, 10L);
          batch.put((long) key, 9L);
        });
  }

  @Operation
  public void clear() {
    store.clear();
  }

  /** Moves 1 from the first key to the second; gives up half-way if there is none. */
  @Operation
  public int transfer() {
    while (true) {
      try (Transaction<Long, Long> transaction = store.beginValidated()) {
        Long from = transaction.get(1L);
        transaction.put(1L, from == null ? 0 : from - 1);
        Long to = transaction.get(2L);
        if (from == null || to == null) {
          transaction.abort();
          return 0;
        }
        transaction.put(2L, to + 1);
        transaction.commit();
        return 1;
      } catch (TransactionConflictException e) {
        // Another was first: once more.
      }
    }
  }

  @Operation
  public int addAndGet(@Param(name = "key") int key) {
    return (int) Counters.addAndGet(store, (long) key, 1);
  }

  @Operation
  public Integer halve(@Param(name = "key") int key) {
    return toInteger(
        store.compute((long) key, (k, v) -> v == null ? Long.valueOf(8) : v < 2 ? null : v / 2));
  }

  @Operation
  public String entries() {
    return store.toString();
  }

  /** What they mean when they are called one after the other. */
  public static class Specification {
    private final TreeMap<Integer, Integer> map = new TreeMap<>();

    public void putBoth(int value) {
      map.put(1, value);
      map.put(2, value);
    }

    public void replaceAllBy(int key) {
      map.clear();
      map.put(key, 9);
    }

    public void clear() {
      map.clear();
    }

    public int transfer() {
      if (map.size() < 2) {
        return 0;
      }
      map.merge(1, -1, Integer::sum);
      map.merge(2, 1, Integer::sum);
      return 1;
    }

    public int addAndGet(int key) {
      return map.merge(key, 1, Integer::sum);
    }

    public Integer halve(int key) {
      return map.compute(key, (k, v) -> v == null ? Integer.valueOf(8) : v < 2 ? null : v / 2);
    }

    public String entries() {
      return map.toString();
    }
  }

  /** The writes of a batch one after the other: somebody sees a part. */
  public static class Broken {
    private final OverlayTrie<Long, Long> store = new StoreOperations().store;

    @Operation
    public void putBoth(@Param(gen = IntGen.class, conf = "1:3") int value) {
      store.put(1L, (long) value);
      store.put(2L, (long) value);
    }

    @Operation
    public String entries() {
      return store.toString();
    }
  }

  /** Reads and writes without validation: transfers are lost. */
  public static class Unvalidated {
    private final OverlayTrie<Long, Long> store = new StoreOperations().store;

    @Operation
    public Integer increment() {
      try (Transaction<Long, Long> transaction = store.begin()) {
        Long before = transaction.get(1L);
        long after = before == null ? 1 : before + 1;
        transaction.put(1L, after);
        transaction.commit();
        return toInteger(after);
      }
    }
  }
}
