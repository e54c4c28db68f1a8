package org.overlaytrie;

/**
 * A validated transaction was not committed, because a key that it had read has another value now.
 * Nothing was changed. Whoever wants to try again begins another transaction.
 */
public final class TransactionConflictException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Object key;

  TransactionConflictException(Object key) {
    super(
        "the key "
            + Bound.describe(key)
            + " has another value than the transaction read; nothing was changed");
    this.key = key;
  }

  /** The key; null if this exception was deserialized. */
  public Object key() {
    return key;
  }
}
