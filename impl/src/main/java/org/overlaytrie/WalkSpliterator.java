package org.overlaytrie;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.overlaytrie.trie.TrieCursor;

/**
 * An {@link EntryWalk} as a spliterator over keys, values or entries.
 *
 * <p>It is bound to the content of its map when it is created, and says how much that is: {@code
 * SIZED}, and therefore not {@code CONCURRENT}. Nor is it {@code IMMUTABLE}, which speaks of the
 * map.
 */
final class WalkSpliterator<T> implements Spliterator<T> {
  private static final int ALWAYS = SIZED | SUBSIZED | ORDERED | NONNULL;

  private final EntryWalk walk;
  private final Function<TrieCursor, T> element;
  private final int more;
  private final Comparator<? super T> order;

  /**
   * @param element what to return for the entry under the cursor
   * @param more characteristics besides those of all walks
   * @param order that of the elements if they are {@code SORTED}; null if it is the natural one
   */
  WalkSpliterator(
      EntryWalk walk, Function<TrieCursor, T> element, int more, Comparator<? super T> order) {
    this.walk = walk;
    this.element = element;
    this.more = more;
    this.order = order;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    if (walk.remaining() == 0) {
      return false;
    }
    action.accept(element.apply(walk.advance()));
    return true;
  }

  @Override
  public Spliterator<T> trySplit() {
    return walk.remaining() < 2
        ? null
        : new WalkSpliterator<>(walk.splitFirstHalf(), element, more, order);
  }

  @Override
  public long estimateSize() {
    return walk.remaining();
  }

  @Override
  public int characteristics() {
    return ALWAYS | more;
  }

  @Override
  public Comparator<? super T> getComparator() {
    if (!hasCharacteristics(SORTED)) {
      throw new IllegalStateException("the elements are not sorted");
    }
    return order;
  }
}
