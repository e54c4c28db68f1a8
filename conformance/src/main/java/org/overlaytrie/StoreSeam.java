package org.overlaytrie;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.checkpoint.Recovery;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.Version;
import org.overlaytrie.image.Image;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Recoverable;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.Checkpoint;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreDirectory;
import org.overlaytrie.wal.StoreIdentity;
import org.overlaytrie.wal.WriteAheadLog;

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

  /**
   * What recovery finds of a store of strings in {@code storage}, which is recovered by that, and
   * left as by a process that is killed.
   */
  public static Recoverable recoverable(Storage storage) throws IOException {
    StoreDirectory directory =
        StoreDirectory.open(
            storage,
            new StoreIdentity("string", 1, "string", 1),
            WriteAheadLog.MIN_SEGMENT_BYTES,
            ProtocolEvents.NONE);
    Checkpoint checkpoint = directory.checkpoint();
    List<LogRecord> records = new ArrayList<>();
    try (Image image =
        Image.open(storage, directory.storeId(), 1 << 16, checkpoint.nextSegment())) {
      Trie content = Recovery.contentOf(image, checkpoint).detached();
      WriteAheadLog.open(directory, records::add).abandon();
      return new Recoverable(checkpoint.lsn(), content, records);
    }
  }

  /** Gives up the checkpoint that is being made, and lets none begin any more. */
  public static void endCheckpoints(OverlayTrie<?, ?> store) {
    store.checkpoints().end();
  }

  /** The version that readers of the store see, for the checks of the invariants. */
  public static Version visible(OverlayTrie<?, ?> store) {
    return store.commit().visible();
  }
}
