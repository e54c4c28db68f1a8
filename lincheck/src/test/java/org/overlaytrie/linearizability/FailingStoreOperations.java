package org.overlaytrie.linearizability;

import java.io.IOException;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.TipReader;
import org.overlaytrie.conformance.crash.Fault;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.conformance.crash.SimulatedStorage;

/**
 * The store over a disk on which no force succeeds any more. No write can take effect, and no
 * reader may ever see one.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
public class FailingStoreOperations {
  private boolean failing;
  final StoreOperations healthy =
      new StoreOperations(
          new SimulatedStorage(
              operation -> failing && operation.kind() == Kind.FORCE ? Fault.DROPPED_PAGES : null));

  public FailingStoreOperations() {
    failing = true;
  }

  @Operation
  public Integer put(@Param(name = "key") int key) {
    return healthy.put(key, 1);
  }

  @Operation
  public Integer putIfAbsent(@Param(name = "key") int key) {
    return healthy.putIfAbsent(key, 2);
  }

  @Operation
  public Integer get(@Param(name = "key") int key) {
    return healthy.get(key);
  }

  @Operation
  public int size() {
    return healthy.size();
  }

  @Operation
  public String snapshot() {
    return healthy.store.snapshot().lsn() + " " + healthy.store.snapshot();
  }

  /** Reads the tip, where a write stands that will never be durable. */
  public static class Broken extends FailingStoreOperations {
    @Override
    public int size() {
      return TipReader.size(healthy.store);
    }
  }

  /** Every write is refused, and nothing is ever written. */
  public static class Specification {
    public Integer put(int key) {
      throw refused();
    }

    public Integer putIfAbsent(int key) {
      throw refused();
    }

    public Integer get(int key) {
      return null;
    }

    public int size() {
      return 0;
    }

    public String snapshot() {
      return "0 {}";
    }

    private static StoreFailedException refused() {
      return new StoreFailedException("", new IOException());
    }
  }
}
