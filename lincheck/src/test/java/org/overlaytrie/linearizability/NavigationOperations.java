package org.overlaytrie.linearizability;

import static org.overlaytrie.linearizability.StoreOperations.toInteger;

import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.OverlayTrie;

/**
 * The store's operations that look for a key, read a part of the map, or compute a value from the
 * one before. Polling is not among them: an entry that is put meanwhile may come before the polled
 * one.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:3")
public class NavigationOperations {
  final OverlayTrie<Long, Long> store = new StoreOperations().store;

  @Operation
  public Integer put(@Param(name = "key") int key) {
    return toInteger(store.put((long) key, 10L));
  }

  @Operation
  public Integer remove(@Param(name = "key") int key) {
    return toInteger(store.remove((long) key));
  }

  @Operation
  public Integer merge(@Param(name = "key") int key) {
    return toInteger(store.merge((long) key, 1L, Long::sum));
  }

  @Operation
  public Integer computeIfPresent(@Param(name = "key") int key) {
    return toInteger(store.computeIfPresent((long) key, (k, v) -> v % 2 == 0 ? v + 1 : null));
  }

  @Operation
  public Integer computeIfAbsent(@Param(name = "key") int key) {
    return toInteger(store.computeIfAbsent((long) key, k -> 20L));
  }

  @Operation
  public Integer floorKey(@Param(name = "key") int key) {
    return toInteger(store.floorKey((long) key));
  }

  @Operation
  public int sizeOfTailMap(@Param(name = "key") int key) {
    return store.tailMap((long) key).size();
  }

  @Operation
  public String descendingMap() {
    return store.descendingMap().toString();
  }

  /** What they mean when they are called one after the other. */
  public static class Specification {
    private final TreeMap<Integer, Integer> map = new TreeMap<>();

    public Integer put(int key) {
      return map.put(key, 10);
    }

    public Integer remove(int key) {
      return map.remove(key);
    }

    public Integer merge(int key) {
      return map.merge(key, 1, Integer::sum);
    }

    public Integer computeIfPresent(int key) {
      return map.computeIfPresent(key, (k, v) -> v % 2 == 0 ? v + 1 : null);
    }

    public Integer computeIfAbsent(int key) {
      return map.computeIfAbsent(key, k -> 20);
    }

    public Integer floorKey(int key) {
      return map.floorKey(key);
    }

    public int sizeOfTailMap(int key) {
      return map.tailMap(key).size();
    }

    public String descendingMap() {
      return map.descendingMap().toString();
    }
  }

  /** One counter, moved on by looking and then writing: increments are lost. */
  public static class Broken {
    private final OverlayTrie<Long, Long> store = new StoreOperations().store;

    @Operation
    public Integer increment() {
      Long before = store.get(1L);
      Long after = before == null ? 1 : before + 1;
      store.put(1L, after);
      return toInteger(after);
    }

    /** What it should do. */
    public static class Specification {
      private int counter;

      public Integer increment() {
        return ++counter;
      }
    }
  }
}
