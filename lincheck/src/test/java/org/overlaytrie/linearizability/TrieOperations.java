package org.overlaytrie.linearizability;

import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/** The trie alone, as a map behind one CAS. Its keys are prefixes of each other, so nodes split. */
@Param(name = "length", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class TrieOperations {
  final AtomicReference<Trie> root = new AtomicReference<>(Trie.EMPTY);

  /** Replaces the root and returns the one before. */
  Trie change(UnaryOperator<Trie> operation) {
    Trie seen;
    do {
      seen = root.get();
    } while (!root.compareAndSet(seen, operation.apply(seen)));
    return seen;
  }

  @Operation
  public Integer put(@Param(name = "length") int length, @Param(name = "value") int value) {
    return find(change(trie -> trie.put(new byte[length], new byte[] {(byte) value})), length);
  }

  @Operation
  public Integer remove(@Param(name = "length") int length) {
    return find(change(trie -> trie.remove(new byte[length])), length);
  }

  @Operation
  public Integer get(@Param(name = "length") int length) {
    return find(root.get(), length);
  }

  @Operation
  public int size() {
    return (int) root.get().size();
  }

  @Operation
  public String entries() {
    StringJoiner entries = new StringJoiner(", ", "{", "}");
    TrieCursor cursor = root.get().cursor();
    while (cursor.next()) {
      entries.add(cursor.key().length + "=" + cursor.value()[0]);
    }
    return entries.toString();
  }

  private static Integer find(Trie trie, int length) {
    byte[] value = trie.get(new byte[length]);
    return value == null ? null : (int) value[0];
  }

  /** Looks and then writes: a change that came in between is lost. */
  public static class Broken extends TrieOperations {
    @Override
    @SuppressWarnings(
        "ThreadPriorityCheck") // on a busy machine, free threads seldom meet otherwise
    Trie change(UnaryOperator<Trie> operation) {
      Trie seen = root.get();
      for (int i = 0; i < 5; i++) {
        Thread.yield();
      }
      root.set(operation.apply(seen));
      return seen;
    }
  }
}
