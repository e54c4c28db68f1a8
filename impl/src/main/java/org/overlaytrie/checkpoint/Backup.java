package org.overlaytrie.checkpoint;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.overlaytrie.Options;
import org.overlaytrie.ProgressListener;
import org.overlaytrie.image.Image;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.Checkpoint;
import org.overlaytrie.wal.StoreCopy;
import org.overlaytrie.wal.StoreIdentity;

/** Writes the content of one store as another one. */
public final class Backup {
  private Backup() {}

  /**
   * Writes a store with the content of {@code trie}, whatever store that is of; {@link StoreCopy}
   * has the steps. It is durable, and complete, when this returns. If it fails, its files are
   * deleted as far as that can be done; those that stay do not open.
   *
   * @param target an empty directory
   * @param lsn that of the last change that the trie shows; 0 only if it is empty
   * @param options the sizes of segments
   */
  public static void write(
      Storage target,
      StoreIdentity identity,
      Trie trie,
      long lsn,
      Options options,
      ProgressListener listener)
      throws IOException {
    try {
      StoreCopy copy = StoreCopy.begin(target, identity);
      copy.finish(image(target, copy, trie, lsn, options, listener), options.walSegmentBytes());
    } catch (Throwable failure) {
      deleteAfter(failure, target);
      throw failure;
    }
  }

  private static Checkpoint image(
      Storage target,
      StoreCopy copy,
      Trie trie,
      long lsn,
      Options options,
      ProgressListener listener)
      throws IOException {
    try (Image image = Image.open(target, copy.storeId(), options.imageSegmentBytes(), 1)) {
      Root root = image.copy(trie, listener);
      image.force();
      image.install();
      return Checkpoint.of(lsn, root, image.nextSegment());
    }
  }

  /** The superblock goes last, and only when the rest is gone for good: it keeps that shut. */
  private static void deleteAfter(Throwable failure, Storage target) {
    try {
      List<String> names =
          target.list().stream()
              .filter(name -> !name.equals(StoreFiles.LOCK))
              .sorted(Comparator.comparing(StoreFiles.SUPERBLOCK::equals))
              .toList();
      for (String name : names) {
        if (name.equals(StoreFiles.SUPERBLOCK)) {
          target.forceDirectory();
        }
        target.delete(name);
      }
      target.forceDirectory();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
