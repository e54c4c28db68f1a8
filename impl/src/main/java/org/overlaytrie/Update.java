package org.overlaytrie;

import java.util.function.Function;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.trie.Trie;

/**
 * Moves one key from the value that it holds to what a function makes of that: decides anew on each
 * content that it is shown, and remembers what came of the last.
 */
final class Update<K, V> implements Function<Trie, Operation> {
  private final Encoding<K, V> encoding;
  private final byte[] key;
  private final Function<V, V> next;
  private V value;
  private Throwable failure;

  Update(Encoding<K, V> encoding, byte[] key, Function<V, V> next) {
    this.encoding = encoding;
    this.key = key;
    this.next = next;
  }

  /**
   * The change as an operation that depends on the value it was computed from. Where the function
   * throws that is none, but one that has seen the value all the same: what it threw may tell of
   * it.
   */
  @Override
  public Operation apply(Trie tip) {
    byte[] current = tip.get(key);
    failure = null;
    try {
      value = next.apply(encoding.decodeValue(current));
      byte[] encoded = value == null ? null : encoding.encodeValue(value, "value");
      return encoded == null && current == null
          ? Operation.observation(key, null)
          : new Operation(kind(current, encoded), key, current, encoded);
    } catch (RuntimeException | Error e) {
      failure = e;
      return Operation.observation(key, current);
    }
  }

  private static OperationKind kind(byte[] current, byte[] encoded) {
    if (current == null) {
      return OperationKind.PUT_IF_ABSENT;
    }
    return encoded == null ? OperationKind.REMOVE_IF : OperationKind.REPLACE_IF;
  }

  /** What the key holds now, null if it is absent; throws what the function threw. */
  V result() {
    if (failure instanceof RuntimeException exception) {
      throw exception;
    } else if (failure instanceof Error error) {
      throw error;
    }
    return value;
  }
}
