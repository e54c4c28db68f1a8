package org.overlaytrie;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/**
 * All entries of a source: what a store and a snapshot have beyond the methods of maps, because
 * their entries are in a trie.
 */
abstract class WholeMapView<K, V> extends NavigableMapView<K, V> {

  WholeMapView(EntrySource source, Encoding<K, V> encoding) {
    super(source, encoding, KeyRange.all(), false);
  }

  /**
   * The number of keys less than {@code key}, which need not be present: its index in the order of
   * keys if it is. Never waits.
   */
  public long rankOf(K key) {
    return source.content().rank(encoding.encodeKey(key));
  }

  /**
   * The entry that has {@code rank} entries before it, in the order of keys: 0 for the first. A
   * copy that stays as it is. Never waits.
   *
   * @throws IndexOutOfBoundsException if {@code rank} is negative, or there are not so many entries
   */
  public Entry<K, V> entryAt(long rank) {
    Trie trie = source.content();
    TrieCursor cursor = trie.cursor();
    cursor.seekRank(Objects.checkIndex(rank, trie.size()));
    return entryOrNull(cursor);
  }

  /**
   * The entries whose encoded keys begin with the encoding of {@code prefix}, which need not be
   * present: a view as by {@link #subMap(Object, boolean, Object, boolean)}, whose keys are all in
   * one subtree. What that means for the keys depends on their codec:
   *
   * <ul>
   *   <li>strings and byte arrays: those that start with {@code prefix}; all for an empty one
   *   <li>sequences: those that start with these elements; all for an empty one
   *   <li>pairs: those with the same first component, if the second component of {@code prefix} is
   *       empty; otherwise those whose second component also begins with that one, in the sense of
   *       this list
   *   <li>what is encoded in a fixed width, such as numbers: that key alone
   * </ul>
   */
  public ConcurrentNavigableMap<K, V> prefixMap(K prefix) {
    KeyRange part = KeyRange.withPrefix(prefix, encoding.encodeKey(prefix));
    return new NavigableMapView<>(source, encoding, part, false);
  }

  /**
   * The entry with the longest key whose encoding the encoding of {@code key} begins with, {@code
   * key} itself if it is present; null if there is none. In the sense of {@link #prefixMap}: of all
   * entries in whose key's prefix map {@code key} would be, the most special one, as the route to
   * an address or the longest token at the start of a text. A copy that stays as it is. Never
   * waits.
   */
  public Entry<K, V> longestPrefixEntry(K key) {
    byte[] bytes = encoding.encodeKey(key);
    Trie trie = source.content();
    int length = trie.longestPrefix(bytes);
    if (length < 0) {
      return null;
    }
    byte[] found = Arrays.copyOf(bytes, length);
    return new SimpleImmutableEntry<>(
        encoding.decodeKey(found), encoding.decodeValue(trie.get(found)));
  }

  /**
   * A cursor over the bytes of the encoded keys, for automata that read the map as a trie. It shows
   * the map as it is now. Never waits.
   */
  public EdgeCursor<K, V> edgeCursor() {
    return new EdgeCursor<>(source.content().descent(), encoding);
  }
}
