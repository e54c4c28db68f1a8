package org.overlaytrie.conformance.bench;

import com.googlecode.concurrenttrees.radix.ConcurrentRadixTree;
import com.googlecode.concurrenttrees.radix.node.concrete.DefaultCharArrayNodeFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.Locale;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntFunction;
import org.overlaytrie.Codec;
import org.overlaytrie.Codecs;

/**
 * Bytes of heap per entry, keys and values counted: what is used after collections with a map and
 * without it. The keys and values are made while the map is filled and held by nobody else, in the
 * store as bytes and in its peers as objects; a value has 8 letters.
 *
 * <p>Usage: {@code HeapPerEntry [ENTRIES]}; with 1,000,000 entries it needs a heap of 1 GiB. The
 * figures repeat to a tenth of a byte.
 */
public final class HeapPerEntry {
  private final int entries;

  private HeapPerEntry(int entries) {
    this.entries = entries;
  }

  /** Prints one line per kind of keys. */
  public static void main(String[] args) throws Exception {
    int entries = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    System.out.printf(
        "%-12s %10s %10s %16s %18s%n",
        "keys", "store", "skip list", "concurrent-trees", "store / skip list");
    HeapPerEntry bench = new HeapPerEntry(entries);
    for (KeyKind kind : KeyKind.values()) {
      double peer = bench.concurrentTrees(kind);
      bench.print(kind.toString(), bench.store(Codecs.string(), kind::key), kind::key, peer);
    }
    IntFunction<Long> longs = i -> (long) i;
    bench.print("LONG", bench.store(Codecs.longs(), longs), longs, Double.NaN);
  }

  private void print(String name, double store, IntFunction<?> keys, double concurrentTrees) {
    double skipList = skipList(keys);
    System.out.printf(
        Locale.ROOT,
        "%-12s %10.1f %10.1f %16.1f %18.3f%n",
        name,
        store,
        skipList,
        concurrentTrees,
        store / skipList);
  }

  private <K> double store(Codec<K> codec, IntFunction<K> keys) throws IOException {
    long before = used();
    try (LoadedStore<K> store = LoadedStore.load(entries, codec, keys)) {
      return perEntry(before, store);
    }
  }

  private double skipList(IntFunction<?> keys) {
    long before = used();
    ConcurrentSkipListMap<Object, String> map = new ConcurrentSkipListMap<>();
    for (int i = 0; i < entries; i++) {
      map.put(keys.apply(i), KeyKind.value(i));
    }
    return perEntry(before, map);
  }

  private double concurrentTrees(KeyKind kind) {
    long before = used();
    ConcurrentRadixTree<String> tree = new ConcurrentRadixTree<>(new DefaultCharArrayNodeFactory());
    for (int i = 0; i < entries; i++) {
      tree.put(kind.key(i), KeyKind.value(i));
    }
    return perEntry(before, tree);
  }

  private double perEntry(long before, Object map) {
    try {
      return (used() - before) / (double) entries;
    } finally {
      Reference.reachabilityFence(map);
    }
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
