package org.overlaytrie.linearizability;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.spec.ProtocolEvents;

/** The store's operations, over a simulated disk. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class StoreOperations {
  private static final Options SMALL_SEGMENTS = Options.defaults().withWalSegmentBytes(4_096);

  final OverlayTrie<Long, Long> store;

  public StoreOperations() {
    this(new SimulatedStorage());
  }

  StoreOperations(SimulatedStorage disk) {
    this(disk, Durability.SYNC);
  }

  StoreOperations(SimulatedStorage disk, Durability durability) {
    try {
      Options options = SMALL_SEGMENTS.withDurability(durability);
      store = StoreSeam.open(disk, Codecs.longs(), Codecs.longs(), options, ProtocolEvents.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Operation
  public Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return toInteger(store.put((long) key, (long) value));
  }

  @Operation
  public Integer putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
    return toInteger(store.putIfAbsent((long) key, (long) value));
  }

  @Operation
  public Integer replace(@Param(name = "key") int key, @Param(name = "value") int value) {
    return toInteger(store.replace((long) key, (long) value));
  }

  @Operation
  public boolean replaceIf(
      @Param(name = "key") int key,
      @Param(name = "value") int expected,
      @Param(name = "value") int value) {
    return store.replace((long) key, (long) expected, (long) value);
  }

  @Operation
  public Integer remove(@Param(name = "key") int key) {
    return toInteger(store.remove((long) key));
  }

  @Operation
  public Integer get(@Param(name = "key") int key) {
    return toInteger(store.get((long) key));
  }

  @Operation
  public boolean containsKey(@Param(name = "key") int key) {
    return store.containsKey((long) key);
  }

  @Operation
  public int size() {
    return store.size();
  }

  /** Linearizable, because an iterator stays on the version that it began on. */
  @Operation
  public String entries() {
    return store.toString();
  }

  static Integer toInteger(Long value) {
    return value == null ? null : value.intValue();
  }

  /**
   * One key that threads fill if it is absent, done by looking and then writing: both of two
   * threads may find it absent.
   */
  public static class Broken {
    private final StoreOperations right = new StoreOperations();

    @Operation
    @SuppressWarnings(
        "ThreadPriorityCheck") // on a busy machine, free threads seldom meet otherwise
    public Integer putIfAbsent(@Param(gen = IntGen.class, conf = "1:3") int value) {
      Integer present = right.get(1);
      for (int i = 0; i < 5; i++) {
        Thread.yield();
      }
      return present == null ? right.put(1, value) : present;
    }

    /** What it should do. */
    public static class Specification {
      private Integer present;

      public Integer putIfAbsent(int value) {
        Integer before = present;
        present = before == null ? Integer.valueOf(value) : before;
        return before;
      }
    }
  }
}
