package org.overlaytrie;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.overlaytrie.trie.TrieCursor;

/** An {@link EntryWalk} as an iterator over keys, values or entries. */
final class WalkIterator<T> implements Iterator<T> {
  private final EntryWalk walk;
  private final Function<TrieCursor, T> element;
  private final Consumer<byte[]> remover;

  /** On the element that {@link #remove} would remove; null if there is none. */
  private TrieCursor returned;

  /**
   * @param element what to return for the entry under the cursor
   * @param remover removes a key from the map
   */
  WalkIterator(EntryWalk walk, Function<TrieCursor, T> element, Consumer<byte[]> remover) {
    this.walk = walk;
    this.element = element;
    this.remover = remover;
  }

  @Override
  public boolean hasNext() {
    return walk.remaining() > 0;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    returned = null;
    TrieCursor cursor = walk.advance();
    T next = element.apply(cursor);
    returned = cursor;
    return next;
  }

  @Override
  public void remove() {
    if (returned == null) {
      throw new IllegalStateException("next() has not been called since the last remove()");
    }
    byte[] key = returned.key();
    returned = null;
    remover.accept(key);
  }
}
