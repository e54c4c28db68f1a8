package org.overlaytrie.linearizability;

import static org.overlaytrie.linearizability.StoreOperations.toInteger;

import java.util.Map.Entry;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Snapshot;

/**
 * A snapshot, read in many steps while the map changes, is one read at one moment; and so are the
 * passes of an iterator.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:3")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class SnapshotOperations {
  final OverlayTrie<Long, Long> store = new StoreOperations().store;

  @Operation
  public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return toInteger(store.put((long) key, (long) value));
  }

  @Operation
  public Integer remove(@Param(name = "key") int key) {
    return toInteger(store.remove((long) key));
  }

  /** By a look-up for each key, the count and an iterator, which must not contradict each other. */
  @Operation
  public String snapshot() {
    try (Snapshot<Long, Long> snapshot = store.snapshot()) {
      StringJoiner entries = new StringJoiner(", ", "{", "}");
      Entry<Long, Long> next = snapshot.firstEntry();
      while (next != null) {
        entries.add(next.toString());
        next = snapshot.higherEntry(next.getKey());
      }
      String iterated = snapshot.size() + " " + snapshot;
      String lookedUp = snapshot.keySet().size() + " " + entries;
      return iterated.equals(lookedUp) ? iterated : iterated + " but " + lookedUp;
    }
  }

  @Operation
  public String iterator() {
    StringJoiner entries = new StringJoiner(", ", "{", "}");
    store.entrySet().iterator().forEachRemaining(entry -> entries.add(entry.toString()));
    return entries.toString();
  }

  /** What they mean when they are called one after the other. */
  public static class Specification {
    private final TreeMap<Integer, Integer> map = new TreeMap<>();

    public Integer put(int key, int value) {
      return map.put(key, value);
    }

    public Integer remove(int key) {
      return map.remove(key);
    }

    public String snapshot() {
      return map.size() + " " + map;
    }

    public String iterator() {
      return map.toString();
    }
  }

  /** Reads the map itself in many steps: no moment fits them all. */
  public static class Broken {
    private final OverlayTrie<Long, Long> store = new StoreOperations().store;

    @Operation
    public Integer put(@Param(gen = IntGen.class, conf = "1:3") int key) {
      return toInteger(store.put((long) key, 1L));
    }

    @Operation
    public String iterator() {
      StringJoiner entries = new StringJoiner(", ", "{", "}");
      for (long key = 1; key <= 3; key++) {
        Long value = store.get(key);
        if (value != null) {
          entries.add(key + "=" + value);
        }
      }
      return entries.toString();
    }

    /** What it should do. */
    public static class Specification {
      private final TreeMap<Integer, Integer> map = new TreeMap<>();

      public Integer put(int key) {
        return map.put(key, 1);
      }

      public String iterator() {
        return map.toString();
      }
    }
  }
}
