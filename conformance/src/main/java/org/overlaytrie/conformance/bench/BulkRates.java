package org.overlaytrie.conformance.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Random;
import java.util.TreeSet;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Directories;

/**
 * Entries loaded per second, side by side in one run: the same random keys put one by one in
 * ascending order by one thread, in no order, and by {@code putAllSorted}; then the store of each
 * is opened again. All with the default durability. Rounds alternate, so that a slow moment of the
 * machine meets all of them; the first round is dropped. Single puts end after a while; what counts
 * is their rate until then, in a map that is smaller and therefore no slower.
 *
 * <p>Usage: {@code BulkRates [DIRECTORY [ENTRIES [SECONDS_PER_ARM]]]}. On a real disk single puts
 * are about its forces; in a file system in memory, where a force costs next to nothing, the work
 * of the store itself is compared.
 */
public final class BulkRates {
  private static final int ROUNDS = 6;
  private static final String[] ARMS = {"puts", "random puts", "sorted bulk"};

  private final Path directory;
  private final List<String> sorted;
  private final List<String> shuffled;
  private final double seconds;

  private BulkRates(Path directory, int entries, double seconds) {
    this.directory = directory;
    this.seconds = seconds;
    Random random = new Random(1);
    TreeSet<String> keys = new TreeSet<>();
    while (keys.size() < entries) {
      keys.add(Long.toString(random.nextLong() >>> 1, 36));
    }
    this.sorted = List.copyOf(keys);
    this.shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, random);
  }

  /** Prints one line per round and the medians with their spread. */
  public static void main(String[] args) throws IOException {
    Path parent = Path.of(args.length > 0 ? args[0] : ".");
    int entries = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    double seconds = args.length > 2 ? Double.parseDouble(args[2]) : 5;
    Path directory = Files.createTempDirectory(parent, "bulk-rates-");
    try {
      new BulkRates(directory, entries, seconds).run();
    } finally {
      Directories.deleteTree(directory);
    }
  }

  private void run() throws IOException {
    List<double[]> rounds = new ArrayList<>();
    System.out.printf("%6s", "round");
    for (String arm : ARMS) {
      System.out.printf(" %14s %14s", arm, "reopened");
    }
    System.out.println();
    for (int round = 0; round < ROUNDS; round++) {
      double[] rates = new double[2 * ARMS.length];
      System.out.printf("%6s", round == 0 ? "warm" : Integer.toString(round));
      for (int arm = 0; arm < ARMS.length; arm++) {
        measure(arm, rates);
        System.out.printf(Locale.ROOT, " %12.0f/s %12.0f/s", rates[2 * arm], rates[2 * arm + 1]);
      }
      System.out.println();
      if (round > 0) {
        rounds.add(rates);
      }
    }
    System.out.println(Ratios.describe("sorted bulk / puts", rounds, 4, 0));
    System.out.println(Ratios.describe("sorted bulk / random puts", rounds, 4, 2));
    System.out.println(Ratios.describe("reopened bulk / puts", rounds, 5, 1));
  }

  /** Loads and opens again; what is left of the arm before must not be paid for here. */
  private void measure(int arm, double[] rates) {
    Path path = directory.resolve("store");
    System.gc();
    long loaded;
    try (OverlayTrie<String, Long> store = open(path)) {
      long start = System.nanoTime();
      loaded = arm == 2 ? bulk(store) : puts(store, arm == 0 ? sorted : shuffled);
      rates[2 * arm] = loaded / secondsSince(start);
    }
    System.gc();
    long start = System.nanoTime();
    try (OverlayTrie<String, Long> store = open(path)) {
      rates[2 * arm + 1] = loaded / secondsSince(start);
      if (store.size() != loaded) {
        throw new AssertionError(store.size() + " entries instead of " + loaded);
      }
    }
    try {
      Directories.deleteTree(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OverlayTrie<String, Long> open(Path path) {
    return OverlayTrie.open(path, Codecs.string(), Codecs.longs());
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private long puts(OverlayTrie<String, Long> store, List<String> keys) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long puts = 0;
    for (String key : keys) {
      store.put(key, puts++);
      if (System.nanoTime() >= end) {
        break;
      }
    }
    return puts;
  }

  private long bulk(OverlayTrie<String, Long> store) {
    Iterator<Entry<String, Long>> entries =
        sorted.stream().map(key -> Map.entry(key, (long) key.length())).iterator();
    store.putAllSorted(entries);
    return sorted.size();
  }
}
