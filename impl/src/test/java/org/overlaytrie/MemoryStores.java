package org.overlaytrie;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.wal.MemoryStorage;

/** Stores over files in memory. */
final class MemoryStores {
  private MemoryStores() {}

  static <K, V> OverlayTrie<K, V> open(Codec<K> keys, Codec<V> values) {
    return open(keys, values, ProtocolEvents.NONE);
  }

  static <K, V> OverlayTrie<K, V> open(Codec<K> keys, Codec<V> values, ProtocolEvents events) {
    try {
      return OverlayTrie.open(
          new MemoryStorage(),
          keys,
          values,
          Options.defaults().withWalSegmentBytes(4_096),
          events,
          Parking.LOCK_SUPPORT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
