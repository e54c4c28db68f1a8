package org.overlaytrie;

import java.io.IOException;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.Version;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;

/**
 * Opens stores over storage, observers and parking that users cannot choose: the door for simulated
 * disks, recorded executions and controlled schedules. In the store's own package so that the store
 * need not show more to its users.
 */
public final class StoreSeam {
  private StoreSeam() {}

  /**
   * Opens the store in {@code storage}, which is closed with the store, or at once if opening
   * fails.
   *
   * @throws IOException if the storage fails
   */
  public static <K, V> OverlayTrie<K, V> open(
      Storage storage,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Options options,
      ProtocolEvents events)
      throws IOException {
    return open(storage, keyCodec, valueCodec, options, events, Parking.LOCK_SUPPORT);
  }

  /** The same, with the waiting threads put to sleep and woken by {@code parking}. */
  public static <K, V> OverlayTrie<K, V> open(
      Storage storage,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Options options,
      ProtocolEvents events,
      Parking parking)
      throws IOException {
    return OverlayTrie.open(storage, keyCodec, valueCodec, options, events, parking);
  }

  /** The version that readers of the store see, for the checks of the invariants. */
  public static Version visible(OverlayTrie<?, ?> store) {
    return store.commit().visible();
  }
}
