package org.overlaytrie.storage;

import java.util.Collection;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.overlaytrie.IncompatibleStoreException;

/** The names of a store's files, and which directories may become a store. */
public final class StoreFiles {

  /** The version of the whole format: superblock, log and image. */
  public static final int FORMAT_VERSION = 2;

  /** Held by the process that has the store open; its content is only a hint for messages. */
  public static final String LOCK = "LOCK";

  /** Says what the store is. */
  public static final String SUPERBLOCK = "superblock";

  private static final Pattern SEGMENT = Pattern.compile("wal-([0-7][0-9a-f]{7})\\.log");
  private static final Pattern IMAGE_SEGMENT = Pattern.compile("image-([0-7][0-9a-f]{7})\\.seg");

  private StoreFiles() {}

  /** The name of the log segment {@code number}, which is at least 1. */
  public static String segment(int number) {
    return "wal-" + HexFormat.of().toHexDigits(number) + ".log";
  }

  /** The number of the log segment called {@code name}; empty if that is no segment's name. */
  public static OptionalInt segmentNumber(String name) {
    return number(SEGMENT, name);
  }

  /** The name of the image segment {@code number}, which is at least 1. */
  public static String imageSegment(int number) {
    return "image-" + HexFormat.of().toHexDigits(number) + ".seg";
  }

  /** The number of the image segment called {@code name}; empty if that is no segment's name. */
  public static OptionalInt imageSegmentNumber(String name) {
    return number(IMAGE_SEGMENT, name);
  }

  private static OptionalInt number(Pattern names, String name) {
    Matcher matcher = names.matcher(name);
    int number = matcher.matches() ? Integer.parseInt(matcher.group(1), 16) : 0;
    return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /**
   * Refuses the file at {@code path} if another version of the format wrote it.
   *
   * @throws IncompatibleStoreException naming both versions
   */
  public static void requireKnownVersion(int version, String path) {
    if (version != FORMAT_VERSION) {
      throw new IncompatibleStoreException(
          path
              + " has format version "
              + version
              + ", this library reads version "
              + FORMAT_VERSION
              + "; open it with the library that wrote it or a newer one");
    }
  }

  /**
   * Refuses a directory that holds anything but a lock file.
   *
   * @param names the files of the directory
   * @param directory its path, for the message
   * @throws IncompatibleStoreException if there is another file
   */
  public static void requireEmpty(Collection<String> names, String directory) {
    for (String name : names) {
      if (!name.equals(LOCK)) {
        throw new IncompatibleStoreException(
            directory
                + " is not empty, it holds "
                + name
                + "; name an empty or a new directory, or delete what an interrupted backup or"
                + " salvage left there");
      }
    }
  }

  /**
   * Refuses a directory that holds files but none of a store's: a store is never created among
   * files of somebody else. Foreign files beside a store are fine.
   *
   * @param names the files of the directory
   * @param directory its path, for the message
   * @throws IncompatibleStoreException if the directory must not become a store
   */
  public static void requireStoreOrEmpty(Collection<String> names, String directory) {
    String foreign = null;
    for (String name : names) {
      if (name.equals(SUPERBLOCK)
          || segmentNumber(name).isPresent()
          || imageSegmentNumber(name).isPresent()) {
        return;
      }
      if (!name.equals(LOCK)) {
        foreign = name;
      }
    }
    if (foreign != null) {
      throw new IncompatibleStoreException(
          directory
              + " holds no store but other files, such as "
              + foreign
              + "; name an empty or a new directory");
    }
  }
}
