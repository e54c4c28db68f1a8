package org.overlaytrie.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;

/** What a store's superblock leads to, looked at without opening the store. Writes nothing. */
public final class StoreInspection {

  /**
   * What the log holds.
   *
   * @param faults every one, as {@link CorruptStoreException} or {@link IncompatibleStoreException}
   * @param reachedLsn the last record that can be had without one missing before it
   * @param lastLsn the last record of which there is a trace
   */
  public record LogReport(List<RuntimeException> faults, long reachedLsn, long lastLsn) {}

  /** A valid slot of the superblock. */
  public final class Slot {
    private final Superblock superblock;

    private Slot(Superblock superblock) {
      this.superblock = superblock;
    }

    /** The store that it belongs to. */
    public UUID storeId() {
      return superblock.storeId();
    }

    /** The codecs. */
    public StoreIdentity identity() {
      return superblock.identity();
    }

    /** Where recovery begins. */
    public Checkpoint checkpoint() {
      return superblock.checkpoint();
    }

    /** All records up to this one were durable. */
    public long claimedLsn() {
      return superblock.lsn();
    }

    /** Reads the log as opening does; hands over the records above the checkpoint LSN. */
    public void readLog(Consumer<LogRecord> replay) throws IOException {
      new LogReader(StoreDirectory.toRead(storage, superblock, numbers), replay).read();
    }

    /** Reads all of the log, and hands over the records that no missing one comes before. */
    public LogReport checkLog(Consumer<LogRecord> replay) throws IOException {
      NavigableSet<Integer> all = new TreeSet<>(numbers);
      if (!numbers.isEmpty()) {
        for (int number = numbers.first(); number < numbers.last(); number++) {
          all.add(number); // a gap is to be found
        }
      }
      StoreDirectory store = StoreDirectory.toRead(storage, superblock, all);
      return new LogCheck(store, superblock.checkpoint().lsn(), replay).run();
    }
  }

  private final Storage storage;
  private final NavigableSet<Integer> numbers;
  private final List<RuntimeException> faults = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private boolean fresh;
  private boolean ambiguous;

  private StoreInspection(Storage storage, Collection<String> names) {
    this.storage = storage;
    this.numbers = StoreDirectory.segmentNumbers(names);
  }

  /**
   * Reads the superblock.
   *
   * @throws IncompatibleStoreException if the directory holds no file of a store
   */
  public static StoreInspection of(Storage storage) throws IOException {
    Collection<String> names = storage.list();
    StoreFiles.requireStoreOrEmpty(names, storage.locate(""));
    if (names.stream().allMatch(StoreFiles.LOCK::equals)) {
      throw new IncompatibleStoreException(storage.locate("") + " holds no store");
    }
    StoreInspection inspection = new StoreInspection(storage, names);
    if (names.contains(StoreFiles.SUPERBLOCK)) {
      inspection.readSlots();
    }
    if (inspection.slots.isEmpty()) {
      inspection.judgeWithoutSlots(names);
    }
    return inspection;
  }

  private void readSlots() throws IOException {
    String path = storage.locate(StoreFiles.SUPERBLOCK);
    List<Superblock> found = new ArrayList<>();
    try (StorageFile file = storage.open(StoreFiles.SUPERBLOCK)) {
      for (int slot = 0; slot < Superblock.SLOTS; slot++) {
        long end = (slot + 1) * (long) Superblock.SLOT_BYTES;
        try {
          Superblock valid = file.size() < end ? null : Superblock.readSlot(file, slot, path);
          if (valid != null) {
            found.add(valid);
          } else if (slot == 0 || found.isEmpty() || !isUnused(found.get(0), file)) {
            faults.add(
                new CorruptStoreException(
                    path,
                    end - Superblock.SLOT_BYTES,
                    "expected a valid slot; it is damaged, or torn by a crash"));
          }
        } catch (CorruptStoreException | IncompatibleStoreException e) {
          ambiguous = true;
          faults.add(e);
        }
      }
    }
    found.sort(Comparator.comparingLong(Superblock::generation).reversed());
    found.forEach(valid -> slots.add(new Slot(valid)));
    if (found.size() == Superblock.SLOTS
        && !(found.get(0).storeId().equals(found.get(1).storeId())
            && found.get(0).identity().equals(found.get(1).identity()))) {
      ambiguous = true;
      faults.add(
          new CorruptStoreException(
              path,
              Superblock.SLOT_BYTES,
              "expected the second slot to belong to the same store as the first"));
    }
  }

  /** Whether the second slot was not written since the store was created with {@code first}. */
  private static boolean isUnused(Superblock first, StorageFile file) throws IOException {
    byte[] bytes = new byte[Superblock.SLOT_BYTES];
    if (first.generation() > 0 || file.size() < Superblock.SLOTS * (long) bytes.length) {
      return false;
    }
    file.read(bytes.length, bytes, 0, bytes.length);
    return Arrays.equals(bytes, new byte[bytes.length]);
  }

  private void judgeWithoutSlots(Collection<String> names) throws IOException {
    try {
      StoreDirectory.requireInterruptedCreation(storage, names, numbers);
      fresh = true;
      faults.clear();
    } catch (CorruptStoreException e) {
      faults.add(e);
    }
  }

  /** Whether this is what an interrupted creation left: opening creates an empty store. */
  public boolean isFresh() {
    return fresh;
  }

  /** Whether the slots are of different stores, or one is of another format: opening refuses. */
  public boolean isAmbiguous() {
    return ambiguous;
  }

  /** The faults of the superblock. */
  public List<RuntimeException> faults() {
    return List.copyOf(faults);
  }

  /** The valid slots, the newest first. */
  public List<Slot> slots() {
    return List.copyOf(slots);
  }
}
