package org.overlaytrie.conformance.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.overlaytrie.Codec;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Directories;

/**
 * A store in a temporary directory, filled in batches so that the disk does not count. Reads do not
 * touch the disk: the map is in memory.
 */
record LoadedStore<K>(Path directory, OverlayTrie<K, String> map) implements AutoCloseable {
  private static final int BATCH = 10_000;

  static <K> LoadedStore<K> load(int entries, Codec<K> codec, IntFunction<K> keys)
      throws IOException {
    Path directory = Files.createTempDirectory("loaded-store-");
    OverlayTrie<K, String> map = OverlayTrie.open(directory, codec, Codecs.string());
    for (int start = 0; start < entries; start += BATCH) {
      int from = start;
      map.writeBatch(
          batch -> {
            for (int i = from; i < Math.min(entries, from + BATCH); i++) {
              batch.put(keys.apply(i), KeyKind.value(i));
            }
          });
    }
    map.put(keys.apply(0), KeyKind.value(0)); // the newest version keeps its record: a small one
    return new LoadedStore<>(directory, map);
  }

  @Override
  public void close() throws IOException {
    map.close();
    Directories.deleteTree(directory);
  }
}
