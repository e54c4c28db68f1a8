package org.overlaytrie.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.Options;
import org.overlaytrie.image.Image;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieBuilder;
import org.overlaytrie.trie.TrieVerifier;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreInspection;
import org.overlaytrie.wal.StoreInspection.LogReport;
import org.overlaytrie.wal.StoreInspection.Slot;

/**
 * Looks at all that is in a store's directory, whatever its state, and finds what can be read of
 * the map. Each valid slot of the superblock leads to an image and to the log behind it; the one
 * that leads further counts, and of two that lead as far the one that loses less. Writes nothing.
 */
public final class Inspection implements AutoCloseable {
  private final Storage storage;
  private final StoreInspection store;
  private final List<RuntimeException> faults = new ArrayList<>();
  private Way best;
  private long lastLsn;
  private boolean opens;

  /** What one slot leads to. */
  private record Way(Slot slot, Image image, Root root, TrieVerifier.Report found, LogReport log) {
    boolean isBetterThan(Way other) {
      return log.reachedLsn() != other.log.reachedLsn()
          ? log.reachedLsn() > other.log.reachedLsn()
          : found.entriesLost() < other.found.entriesLost();
    }
  }

  private Inspection(Storage storage) throws IOException {
    this.storage = storage;
    this.store = StoreInspection.of(storage);
  }

  /**
   * Inspects the store in {@code storage}.
   *
   * @throws IncompatibleStoreException if no file of a store is there
   */
  public static Inspection of(Storage storage) throws IOException {
    Inspection inspection = new Inspection(storage);
    try {
      inspection.inspect();
      return inspection;
    } catch (Throwable e) {
      inspection.close();
      throw e;
    }
  }

  private void inspect() throws IOException {
    store.faults().forEach(this::add);
    for (Slot slot : store.slots()) {
      Way way = way(slot);
      way.found.faults().forEach(fault -> add(fault.cause()));
      way.log.faults().forEach(this::add);
      lastLsn = Math.max(lastLsn, Math.max(slot.claimedLsn(), way.log.lastLsn()));
      Way worse = way;
      if (best == null || way.isBetterThan(best)) {
        worse = best;
        best = way;
      }
      if (worse != null) {
        worse.image.close();
      }
    }
    opens = store.isFresh() || wouldOpen();
  }

  private Way way(Slot slot) throws IOException {
    Image image = imageOf(slot);
    try {
      Root root = slot.checkpoint().root();
      return new Way(slot, image, root, image.verify(root), slot.checkLog(record -> {}));
    } catch (Throwable failure) {
      image.close();
      throw failure;
    }
  }

  private Image imageOf(Slot slot) {
    return Image.open(
        storage,
        slot.storeId(),
        Options.defaults().imageSegmentBytes(),
        slot.checkpoint().nextSegment());
  }

  /** Both slots lead to the same places most of the time: each is named once. */
  private void add(RuntimeException fault) {
    if (faults.stream().noneMatch(known -> isSame(known, fault))) {
      faults.add(fault);
    }
  }

  private static boolean isSame(RuntimeException known, RuntimeException fault) {
    if (known instanceof CorruptStoreException one && fault instanceof CorruptStoreException two) {
      return one.file().equals(two.file()) && one.offset() == two.offset();
    }
    return String.valueOf(known.getMessage()).equals(fault.getMessage());
  }

  /** Does what opening does, but for writing. */
  private boolean wouldOpen() throws IOException {
    if (store.slots().isEmpty() || store.isAmbiguous()) {
      return false;
    }
    Slot newest = store.slots().get(0);
    try (Image image = imageOf(newest)) {
      Trie[] trie = {Recovery.contentOf(image, newest.checkpoint())};
      newest.readLog(record -> trie[0] = record.applyTo(trie[0]));
      return true;
    } catch (CorruptStoreException | IncompatibleStoreException | UncheckedIOException e) {
      add(e);
    } catch (IOException e) {
      add(new UncheckedIOException(e.getMessage(), e));
    }
    return false;
  }

  /** Every fault, of the superblock, of the image and of the log. */
  public List<RuntimeException> faults() {
    return List.copyOf(faults);
  }

  /** Whether the store opens, maybe with entries that cannot be read. */
  public boolean opens() {
    return opens;
  }

  /** Whether what is wrong with the superblock is that one of its slots is not valid, no more. */
  public boolean isOneSlotEnough() {
    return best != null && !store.isAmbiguous();
  }

  /** The slot that leads furthest; null if none is valid. */
  public Slot slot() {
    return best == null ? null : best.slot;
  }

  /** What of the image cannot be read. */
  public List<TrieVerifier.Fault> lost() {
    return best == null ? List.of() : best.found.faults();
  }

  /** The last change that can be had without one missing before it. */
  public long reachedLsn() {
    return best == null ? 0 : best.log.reachedLsn();
  }

  /** The last change of which there is a trace, which is not before {@link #reachedLsn}. */
  public long lastLsn() {
    return Math.max(lastLsn, reachedLsn());
  }

  /**
   * All that can be read: the image as far as it is intact, and the changes up to {@link
   * #reachedLsn}. It reads the image as it is used; if that is damaged, all of it is in memory.
   */
  public Trie content() throws IOException {
    if (best == null) {
      return Trie.EMPTY;
    }
    Trie[] content = {best.found.faults().isEmpty() ? best.image.load(best.root) : intactPart()};
    best.slot.checkLog((LogRecord record) -> content[0] = record.applyTo(content[0]));
    return content[0];
  }

  private Trie intactPart() {
    TrieBuilder intact = new TrieBuilder();
    TrieVerifier.verify(best.image, best.root, intact::add);
    return intact.build();
  }

  @Override
  public void close() throws IOException {
    if (best != null) {
      best.image.close();
    }
  }
}
