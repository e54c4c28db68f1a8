package org.overlaytrie.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/** What the tests of the image share. */
final class Images {
  static final UUID STORE_ID = UUID.fromString("01234567-89ab-cdef-fedc-ba9876543210");

  private Images() {}

  static Image open(Storage storage, int nextSegment) {
    return Image.open(storage, STORE_ID, Image.MIN_SEGMENT_BYTES, nextSegment);
  }

  /** Writes, forces and installs. */
  static Root checkpoint(Image image, Trie trie) {
    try {
      Root root = image.write(trie, done -> {});
      image.force();
      image.install();
      return root;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static NavigableMap<byte[], byte[]> newModel() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Entries of all kinds: short and long ones, dense branches, keys that others begin with. */
  static NavigableMap<byte[], byte[]> entries(long seed, int count) {
    Random random = new Random(seed);
    NavigableMap<byte[], byte[]> entries = newModel();
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[random.nextInt(5)];
      random.nextBytes(key);
      byte[] value = new byte[random.nextInt(20) == 0 ? 300 : random.nextInt(10)];
      random.nextBytes(value);
      entries.put(key, value);
    }
    return entries;
  }

  static Trie trie(NavigableMap<byte[], byte[]> entries) {
    Trie trie = Trie.EMPTY;
    for (var entry : entries.entrySet()) {
      trie = trie.put(entry.getKey(), entry.getValue());
    }
    return trie;
  }

  /** Whether a trie has just these entries; throws what reading it throws. */
  static boolean hasContent(Trie trie, NavigableMap<byte[], byte[]> entries) {
    TrieCursor cursor = trie.cursor();
    for (var entry : entries.entrySet()) {
      if (!cursor.next()
          || !Arrays.equals(cursor.key(), entry.getKey())
          || !Arrays.equals(cursor.value(), entry.getValue())
          || !Arrays.equals(trie.get(entry.getKey()), entry.getValue())) {
        return false;
      }
    }
    return !cursor.next() && trie.size() == entries.size();
  }
}
