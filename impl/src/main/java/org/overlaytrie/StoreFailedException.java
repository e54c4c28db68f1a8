package org.overlaytrie;

/**
 * The store can no longer write, because writing or forcing its log failed. The operation that
 * throws this was not acknowledged: whether it took effect shows when the store is opened again.
 * Everything that was durable before is safe; where writes do not wait ({@link Durability}), those
 * that had returned since the last sync may be lost. Reads go on, and there still show them; every
 * later write throws this exception too. Close the store, mend the cause and open it again.
 */
public final class StoreFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps what made the store fail. */
  public StoreFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
