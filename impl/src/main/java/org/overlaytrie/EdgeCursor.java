package org.overlaytrie;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.overlaytrie.trie.Descent;
import org.overlaytrie.trie.TrieCursor;

/**
 * A map seen as a trie of bytes: a cursor that goes down from the root by one byte of the encoded
 * keys at a time, and up again. It is for whatever reads keys as an automaton does, such as
 * matching a pattern, spelling correction, the tokens that may come next in a text, or counting
 * what begins alike.
 *
 * <p>The cursor stands where some bytes lead, its <i>way</i>; a new one has an empty way. From
 * there it can go down by the bytes that go on to some key. There is one step for each byte, also
 * where all keys go on alike and the store keeps their bytes together.
 *
 * <pre>{@code
 * EdgeCursor<String, Long> cursor = words.edgeCursor();
 * for (int next = cursor.nextByte(0); next >= 0; next = cursor.nextByte(next + 1)) {
 *   cursor.descend(next);
 *   System.out.println(cursor.count() + " words begin with byte " + next);
 *   cursor.up();
 * }
 * }</pre>
 *
 * <p>It shows the map as it was when the cursor was created, whatever happens to the map, and works
 * on after the map was closed. A step is O(1), or a search among at most 64 bytes that go on from
 * there. To be used by one thread at a time.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class EdgeCursor<K, V> {
  private static final int MAX_BYTE = 0xFF;

  private final Descent descent;
  private final Encoding<K, V> encoding;

  EdgeCursor(Descent descent, Encoding<K, V> encoding) {
    this.descent = descent;
    this.encoding = encoding;
  }

  /**
   * Goes down by one byte. False if no key goes on with it; then the cursor stays where it is.
   *
   * @param next the byte, unsigned: 0 to 255
   * @throws IllegalArgumentException if it is not
   */
  public boolean descend(int next) {
    if (next < 0 || next > MAX_BYTE) {
      throw new IllegalArgumentException("a byte is 0 to 255, unsigned, and not " + next);
    }
    return descent.descend(next);
  }

  /** Goes up by one byte. False at the root; then the cursor stays there. */
  public boolean up() {
    return descent.up();
  }

  /**
   * The least byte, unsigned, that goes down from here and is {@code least} or greater; -1 if there
   * is none. So {@code nextByte(0)} is the first one, and {@code nextByte(b + 1)} the one after b.
   *
   * @param least any number; those from 256 on give -1
   */
  public int nextByte(int least) {
    return descent.labelFrom(Math.max(0, least));
  }

  /** Whether the way is the whole encoding of a key. */
  public boolean isEntry() {
    return descent.value() != null;
  }

  /**
   * The key whose encoding is the way.
   *
   * @throws NoSuchElementException if there is none
   */
  public K key() {
    if (!isEntry()) {
      throw new NoSuchElementException("the way is not the encoding of a key");
    }
    return encoding.decodeKey(descent.way());
  }

  /** The value of the key whose encoding is the way; null if there is none. */
  public V value() {
    return encoding.decodeValue(descent.value());
  }

  /** The number of entries whose encoded keys begin with the way. O(1). */
  public long count() {
    return descent.size();
  }

  /**
   * The entries whose encoded keys begin with the way, in the order of keys: {@link #count} many. A
   * sequential stream, of copies, that does not move with the cursor. The first entry costs a look
   * from the root, each further one a step.
   */
  public Stream<Entry<K, V>> entries() {
    byte[] way = descent.way();
    EntryWalk walk = KeyRange.withPrefix(way, way).walk(descent.trie(), false);
    int more = Spliterator.DISTINCT | Spliterator.IMMUTABLE;
    return StreamSupport.stream(new WalkSpliterator<>(walk, this::entry, more, null), false);
  }

  private Entry<K, V> entry(TrieCursor at) {
    return new SimpleImmutableEntry<>(
        encoding.decodeKey(at.key()), encoding.decodeValue(at.value()));
  }

  /** The number of bytes of the way. */
  public int depth() {
    return descent.depth();
  }

  /** The bytes of the way; a copy. */
  public byte[] way() {
    return descent.way();
  }
}
