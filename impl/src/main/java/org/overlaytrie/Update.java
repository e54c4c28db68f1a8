package org.overlaytrie;

import java.util.function.Function;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;

/** Moves one key from the value that it holds to what a function makes of that, and tells it. */
final class Update<K, V> extends Decision<V> {
  private final Encoding<K, V> encoding;
  private final Function<V, V> next;

  Update(Encoding<K, V> encoding, byte[] key, Function<V, V> next) {
    super(key);
    this.encoding = encoding;
    this.next = next;
  }

  @Override
  V tell(byte[] current) {
    return next.apply(encoding.decodeValue(current));
  }

  /** The change as an operation that depends on the value it was computed from. */
  @Override
  Operation operation(byte[] current, V value) {
    byte[] encoded = value == null ? null : encoding.encodeValue(value, "value");
    return encoded == null && current == null
        ? Operation.observation(key, null)
        : new Operation(kind(current, encoded), key, current, encoded);
  }

  private static OperationKind kind(byte[] current, byte[] encoded) {
    if (current == null) {
      return OperationKind.PUT_IF_ABSENT;
    }
    return encoded == null ? OperationKind.REMOVE_IF : OperationKind.REPLACE_IF;
  }
}
