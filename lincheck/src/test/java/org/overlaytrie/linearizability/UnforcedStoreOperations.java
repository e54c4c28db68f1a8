package org.overlaytrie.linearizability;

import org.jetbrains.lincheck.datastructures.Operation;
import org.overlaytrie.Durability;
import org.overlaytrie.conformance.crash.SimulatedStorage;

/** The same operations, where they do not wait, and syncs among them. */
public class UnforcedStoreOperations extends StoreOperations {

  public UnforcedStoreOperations() {
    super(new SimulatedStorage(), Durability.NONE);
  }

  @Operation
  public void sync() {
    store.sync();
  }

  /** Like the store, one map; a sync changes nothing that can be seen. */
  public static class Specification extends MapSpecification {
    /** As {@link UnforcedStoreOperations#sync}. */
    public void sync() {}
  }
}
