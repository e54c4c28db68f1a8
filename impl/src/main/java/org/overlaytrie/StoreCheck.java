package org.overlaytrie;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.checkpoint.Backup;
import org.overlaytrie.checkpoint.Inspection;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.ReadOnlyStorage;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.StoreIdentity;

/**
 * Examines the directory of a store that is not open, and saves what can be read of a damaged one.
 * Neither needs the codecs, and neither writes anything to that directory.
 *
 * <p><b>Cost.</b> Image and log are read twice or three times. What the log leads to of the image
 * is held in memory; if the image is damaged, all of its entries are.
 *
 * <p><b>Threads.</b> Any. The directory counts as open meanwhile: a store there, or another check,
 * is refused.
 */
public final class StoreCheck {
  private StoreCheck() {}

  /**
   * Something that is not as it must be.
   *
   * @param file the path of the file; of the directory where it cannot be told
   * @param offset where in the file, in bytes from its start
   * @param expectation what was expected there
   * @param perhapsTorn whether a crash may have left this, and nothing is lost by it: one of two
   *     slots of the superblock. The next opening mends it
   */
  public record Fault(String file, long offset, String expectation, boolean perhapsTorn) {}

  /**
   * Entries that cannot be read.
   *
   * @param keyPrefix what their encoded keys begin with; do not change it
   * @param entries how many they are, some of which may have been written again since
   */
  @SuppressWarnings("ArrayRecordComponent") // to be shown, not to be compared
  public record LostEntries(byte[] keyPrefix, long entries) {}

  /**
   * Changes that are lost, with all that came after them.
   *
   * @param firstLsn the LSN of the first of them
   * @param lastLsn that of the last of which there is any trace; maybe there were more
   */
  public record LostChanges(long firstLsn, long lastLsn) {}

  /**
   * What was found.
   *
   * @param opens whether {@link OverlayTrie#open} opens the store, given its codecs. It does even
   *     if entries cannot be read; then reading them throws {@link CorruptStoreException}
   * @param entries how many entries can be read, and are in the target of a salvage
   * @param lsn the last change that is in them
   * @param faults every fault that was found; empty if all is well
   * @param lostEntries what cannot be read of the image
   * @param lostChanges what cannot be read of the log; null if nothing is known to be missing
   */
  public record Report(
      boolean opens,
      long entries,
      long lsn,
      List<Fault> faults,
      List<LostEntries> lostEntries,
      LostChanges lostChanges) {

    /** Whether nothing is damaged, but for what a crash may have left. */
    public boolean isSound() {
      return opens && faults.stream().allMatch(Fault::perhapsTorn);
    }
  }

  /**
   * Verifies everything: both slots of the superblock; every segment of the log, every frame, and
   * that the log ends where a crash may have ended it; and every record of the image that either
   * slot leads to, with its place in the order of keys and its counts. A file that is left from a
   * crash and that the next opening ignores or replaces is no fault; nor is what lies behind the
   * end of the log.
   *
   * @throws StoreLockedException if the store is open, or is being checked
   * @throws IncompatibleStoreException if the directory holds no store
   * @throws IllegalArgumentException if the directory is not one of the default file system
   * @throws UncheckedIOException if there is no such directory, or it cannot be read
   */
  public static Report check(Path directory) {
    return read(directory, StoreCheck::check);
  }

  /**
   * Copies what can be read of the store in {@code damaged} into a new store in {@code target}: the
   * entries of the image whose records are intact, and the changes of the log up to the first that
   * is missing. The new store has the same codecs, and is durable when this returns. Of a store
   * that is not damaged it is a copy.
   *
   * <p>A failure is handled as by {@link OverlayTrie#backupTo(Path)}.
   *
   * @param target an empty directory, or one to be created
   * @return what {@link #check} says of {@code damaged}: what is lost
   * @throws CorruptStoreException if no slot of the superblock is valid, so that nothing can be
   *     read
   * @throws IncompatibleStoreException if {@code damaged} holds no store, or {@code target}
   *     anything
   * @throws StoreLockedException if either is open
   * @throws IllegalArgumentException if either is not of the default file system
   * @throws UncheckedIOException if either directory cannot be used
   */
  public static Report salvage(Path damaged, Path target) {
    OverlayTrie.requireDefaultFileSystem(target);
    return read(damaged, storage -> salvage(storage, () -> FileStorage.openEmpty(target)));
  }

  /** Opens the target once it is known that there is something to write. */
  interface Target {
    Storage open() throws IOException;
  }

  /** {@link #salvage} of any storage. */
  static Report salvage(Storage damaged, Target target) throws IOException {
    try (Inspection inspection = Inspection.of(damaged)) {
      if (inspection.slot() == null) {
        throw new CorruptStoreException(
            damaged.locate(StoreFiles.SUPERBLOCK),
            0,
            "expected a valid slot: without one nothing can be read of the store");
      }
      Trie content = inspection.content();
      Report report = report(damaged, inspection, content);
      StoreIdentity identity = inspection.slot().identity();
      long lsn = inspection.reachedLsn();
      try (Storage copy = target.open()) {
        Backup.write(copy, identity, content, lsn, Options.defaults(), done -> {});
      }
      return report;
    }
  }

  private static Report report(Storage storage, Inspection inspection, Trie content) {
    List<Fault> faults = new ArrayList<>();
    inspection.faults().forEach(fault -> faults.add(fault(fault, storage, inspection)));
    boolean opens = inspection.opens();
    if (storage instanceof ReadOnlyStorage directory) {
      opens &= hasOwnLock(directory, faults);
    }
    long reached = inspection.reachedLsn();
    return new Report(
        opens,
        content.size(),
        reached,
        List.copyOf(faults),
        inspection.lost().stream()
            .map(lost -> new LostEntries(lost.keyPrefix(), lost.entries()))
            .toList(),
        inspection.lastLsn() > reached ? new LostChanges(reached + 1, inspection.lastLsn()) : null);
  }

  private static boolean hasOwnLock(ReadOnlyStorage directory, List<Fault> faults) {
    try {
      directory.requireOwnLock();
      return true;
    } catch (IncompatibleStoreException | IOException e) {
      faults.add(new Fault(directory.locate(StoreFiles.LOCK), 0, e.getMessage(), false));
      return false;
    }
  }

  private static Fault fault(RuntimeException fault, Storage storage, Inspection inspection) {
    if (fault instanceof CorruptStoreException corrupt) {
      boolean slot = corrupt.file().equals(storage.locate(StoreFiles.SUPERBLOCK));
      return new Fault(
          corrupt.file(),
          corrupt.offset(),
          corrupt.expectation(),
          slot && inspection.isOneSlotEnough());
    }
    return new Fault(storage.locate(""), 0, String.valueOf(fault.getMessage()), false);
  }

  private interface Examination {
    Report of(ReadOnlyStorage storage) throws IOException;
  }

  private static Report read(Path directory, Examination examination) {
    OverlayTrie.requireDefaultFileSystem(directory);
    try (ReadOnlyStorage storage = ReadOnlyStorage.open(directory)) {
      return examination.of(storage);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the store in " + directory + " cannot be examined: " + e.getMessage(), e);
    }
  }

  /** {@link #check} of any storage. */
  static Report check(Storage storage) throws IOException {
    try (Inspection inspection = Inspection.of(storage)) {
      return report(storage, inspection, inspection.content());
    }
  }
}
