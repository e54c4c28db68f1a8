package org.overlaytrie;

import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.trie.Trie;

/**
 * What to do to one key, decided by the value that it holds, anew on each content that it is shown;
 * remembers what the caller is told of the last.
 *
 * <p>Codecs and functions of the caller run here, before anything is changed. Where one throws,
 * nothing is, but the operation has seen the value all the same: what was thrown may tell of it,
 * and reaches the caller when that is durable.
 *
 * @param <T> what the caller is told
 */
abstract class Decision<T> implements Decider {
  final byte[] key;
  private byte[] found;
  private T result;
  private Throwable failure;

  Decision(byte[] key) {
    this.key = key;
  }

  /** What to tell the caller where the key holds {@code current}, null if it is absent. */
  abstract T tell(byte[] current);

  /** What to do then. */
  abstract Operation operation(byte[] current, T told);

  @Override
  public final Operation decide(Trie tip) {
    byte[] current = tip.get(key);
    found = current;
    failure = null;
    try {
      result = tell(current);
      return operation(current, result);
    } catch (RuntimeException | Error e) {
      failure = e;
      return Operation.observation(key, current);
    }
  }

  @Override
  public final byte[] found(Operation operation, Trie tip) {
    return found;
  }

  /** What the caller is told, or throws what was thrown in its place. */
  final T result() {
    if (failure instanceof RuntimeException exception) {
      throw exception;
    } else if (failure instanceof Error error) {
      throw error;
    }
    return result;
  }
}
