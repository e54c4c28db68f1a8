package org.overlaytrie.conformance.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.function.IntFunction;
import org.overlaytrie.conformance.cli.Directories;
import org.overlaytrie.image.Image;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/**
 * Bytes of the checkpoint image per entry, all of it counted, beside those of the keys and values;
 * and how many entries per second are written, durably, and read back in order, each record
 * checked. The random keys are 8 bytes, the other kinds those of {@link KeyKind}; a value has 8
 * bytes.
 *
 * <p>Usage: {@code ImageSize [DIRECTORY [ENTRIES]]}; with 1,000,000 entries it needs a heap of 1
 * GiB and nothing on the class path but this module and the library:
 *
 * <pre>
 *   mvn -q compile -pl impl,conformance
 *   java -Xmx2g -cp conformance/target/classes:impl/target/classes \
 *     org.overlaytrie.conformance.bench.ImageSize /tmp 1000000
 * </pre>
 *
 * <p>The bytes are the same each time, the rates are not.
 */
public final class ImageSize {
  private static final int SEGMENT_BYTES = 64 << 20;

  private final Path parent;
  private final int entries;

  private ImageSize(Path parent, int entries) {
    this.parent = parent;
    this.entries = entries;
  }

  /** Prints one line per kind of keys. */
  public static void main(String[] args) throws IOException {
    Path parent = Path.of(args.length > 0 ? args[0] : ".");
    int entries = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    ImageSize bench = new ImageSize(parent, entries);
    System.out.printf(
        "%-12s %10s %10s %12s %14s %14s%n",
        "keys", "raw", "image", "image / raw", "written / s", "read / s");
    bench.run("LONG", i -> ByteBuffer.allocate(8).putLong(KeyKind.mixed(i)).array());
    for (KeyKind kind : KeyKind.values()) {
      bench.run(kind.toString(), i -> kind.key(i).getBytes(StandardCharsets.UTF_8));
    }
  }

  private void run(String name, IntFunction<byte[]> keys) throws IOException {
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < entries; i++) {
      trie = trie.put(keys.apply(i), ByteBuffer.allocate(8).putLong(i).array());
    }
    long raw = rawBytes(trie);
    Path directory = Files.createTempDirectory(parent, "image-size-");
    try (Storage storage = FileStorage.open(directory);
        Image image = Image.open(storage, new UUID(1, 2), SEGMENT_BYTES, 1)) {
      long start = System.nanoTime();
      Root root = image.write(trie, done -> {});
      image.force();
      image.install();
      double written = perSecond(start, trie.size());
      start = System.nanoTime();
      requireRead(image.load(root), raw);
      print(name, trie.size(), raw, image.bytesWritten(), written, perSecond(start, trie.size()));
    } finally {
      Directories.deleteTree(directory);
    }
  }

  private static void requireRead(Trie trie, long expected) {
    if (rawBytes(trie) != expected) {
      throw new AssertionError("other entries were read than were written");
    }
  }

  private static long rawBytes(Trie trie) {
    long bytes = 0;
    for (TrieCursor cursor = trie.cursor(); cursor.next(); ) {
      bytes += cursor.key().length + cursor.value().length;
    }
    return bytes;
  }

  private static double perSecond(long start, long count) {
    return count * 1e9 / (System.nanoTime() - start);
  }

  private static void print(
      String name, long size, long raw, long bytes, double written, double read) {
    System.out.printf(
        Locale.ROOT,
        "%-12s %10.2f %10.2f %12.3f %,14.0f %,14.0f%n",
        name,
        (double) raw / size,
        (double) bytes / size,
        (double) bytes / raw,
        written,
        read);
  }
}
