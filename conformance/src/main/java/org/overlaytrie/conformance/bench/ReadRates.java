package org.overlaytrie.conformance.bench;

import com.googlecode.concurrenttrees.common.KeyValuePair;
import com.googlecode.concurrenttrees.radix.ConcurrentRadixTree;
import com.googlecode.concurrenttrees.radix.node.concrete.DefaultCharArrayNodeFactory;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;

/**
 * Reads of the store, of a {@link ConcurrentSkipListMap} and of concurrent-trees with the same
 * entries, side by side in one run by one thread: {@code get} of every key in random order, a scan
 * of all entries with their keys, and a scan of the values alone. Rounds alternate, so that a slow
 * moment of the machine meets all of them; the first rounds, in which the code is compiled, are
 * dropped. What counts is the processor time of the thread that reads, so that waiting for a
 * processor that others use is nobody's. The collection of what was allocated is not in it; the
 * last line says how long that took in sum.
 *
 * <p>To be read with care: each arm has a loop of its own, so that none pays for another's types at
 * its call sites; a program with many maps and codecs pays for interface calls in addition. Of
 * every result the length is added up, so that it must be loaded, and now and then one is stored
 * where others could see it, so that no compiler can leave the object out. The keys looked up are
 * other objects than those in the maps and lie in memory in the order of the look-ups, so what is
 * measured is the map and not the key. Each get is of a present key; a round takes a tenth of them.
 *
 * <p>Usage: {@code ReadRates [ENTRIES [ROUNDS [KEY_KIND]]]}; with 1,000,000 entries it needs a heap
 * of 2 GiB.
 */
public final class ReadRates {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int WARM_UP_ROUNDS = 10;

  /** Into how many rounds the look-ups of all keys are divided. */
  private static final int SHARES = 10;

  private final int entries;
  private final String[] lookups;
  private final OverlayTrie<String, String> store;
  private final ConcurrentSkipListMap<String, String> skipList = new ConcurrentSkipListMap<>();
  private final ConcurrentRadixTree<String> concurrentTrees =
      new ConcurrentRadixTree<>(new DefaultCharArrayNodeFactory());

  private int share;
  private long letters;
  private int random = 1;
  private int escapeMask = 1;

  /** For the compiler, which cannot know that nobody reads it. */
  @SuppressWarnings("unused")
  private volatile String escaped;

  private ReadRates(int entries, KeyKind kind, OverlayTrie<String, String> store) {
    this.entries = entries;
    this.store = store;
    for (int i = 0; i < entries; i++) {
      skipList.put(kind.key(i), KeyKind.value(i));
      concurrentTrees.put(kind.key(i), KeyKind.value(i));
    }
    this.lookups = lookups(entries, kind);
  }

  private static String[] lookups(int entries, KeyKind kind) {
    int[] order = new int[entries];
    Random random = new Random(1);
    for (int i = 0; i < entries; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    String[] keys = new String[entries];
    for (int i = 0; i < entries; i++) {
      keys[i] = kind.key(order[i]);
    }
    return keys;
  }

  /** Prints nanoseconds per entry, one line per round, and the ratios with their spread. */
  public static void main(String[] args) throws Exception {
    int entries = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 31;
    KeyKind kind = args.length > 2 ? KeyKind.valueOf(args[2]) : KeyKind.RANDOM;
    try (LoadedStore<String> loaded = LoadedStore.load(entries, Codecs.string(), kind::key)) {
      System.out.printf("%d entries, %s keys, nanoseconds per entry%n", entries, kind);
      new ReadRates(entries, kind, loaded.map()).run(rounds);
    }
  }

  private void run(int measured) {
    List<Arm> arms =
        List.of(
            new Arm("get store", entries / SHARES, this::getStore),
            new Arm("get skip list", entries / SHARES, this::getSkipList),
            new Arm("get c-trees", entries / SHARES, this::getConcurrentTrees),
            new Arm("scan store", entries, this::scanStore),
            new Arm("scan skip list", entries, this::scanSkipList),
            new Arm("scan c-trees", entries, this::scanConcurrentTrees),
            new Arm("vals store", entries, this::valuesOfStore),
            new Arm("vals skip list", entries, this::valuesOfSkipList),
            new Arm("vals c-trees", entries, this::valuesOfConcurrentTrees));
    List<double[]> rounds = new ArrayList<>();
    long begin = System.nanoTime();
    long collecting = millisCollecting();
    arms.forEach(arm -> System.out.printf("%15s", arm.name));
    System.out.println();
    for (int round = 0; round < WARM_UP_ROUNDS + measured; round++) {
      double[] nanos = arms.stream().mapToDouble(Arm::nanosPerEntry).toArray();
      for (double each : nanos) {
        System.out.printf(Locale.ROOT, "%15.1f", each);
      }
      System.out.println(round < WARM_UP_ROUNDS ? "  warm-up" : "");
      if (round >= WARM_UP_ROUNDS) {
        rounds.add(nanos);
      }
      share = (share + 1) % SHARES;
    }
    System.out.printf(
        "%d letters were read in %d ms, of which collections took %d ms%n",
        letters, (System.nanoTime() - begin) / 1_000_000, millisCollecting() - collecting);
    String[] reads = {"get", "scan with keys", "scan of values"};
    for (int read = 0; read < reads.length; read++) {
      for (int peer = 1; peer <= 2; peer++) {
        String name = reads[read] + ", times as fast as " + (peer == 1 ? "skip list" : "c-trees");
        System.out.println(Ratios.describe(name, rounds, 3 * read + peer, 3 * read));
      }
    }
  }

  private static long millisCollecting() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private record Arm(String name, int reads, Runnable pass) {
    double nanosPerEntry() {
      long start = THREADS.getCurrentThreadCpuTime();
      pass.run();
      return (THREADS.getCurrentThreadCpuTime() - start) / (double) reads;
    }
  }

  /** Uses the result; more and more seldom it also escapes. */
  private void use(String result) {
    letters += result.length();
    random = random * 1_664_525 + 1_013_904_223;
    if ((random & escapeMask) == 0) {
      escaped = result;
      escapeMask = 2 * escapeMask + 1;
    }
  }

  private int firstLookup() {
    return share * (entries / SHARES);
  }

  private int endOfLookups() {
    return firstLookup() + entries / SHARES;
  }

  private void getStore() {
    for (int i = firstLookup(); i < endOfLookups(); i++) {
      use(store.get(lookups[i]));
    }
  }

  private void getSkipList() {
    for (int i = firstLookup(); i < endOfLookups(); i++) {
      use(skipList.get(lookups[i]));
    }
  }

  private void getConcurrentTrees() {
    for (int i = firstLookup(); i < endOfLookups(); i++) {
      use(concurrentTrees.getValueForExactKey(lookups[i]));
    }
  }

  private void scanStore() {
    for (Map.Entry<String, String> entry : store.entrySet()) {
      use(entry.getKey());
      use(entry.getValue());
    }
  }

  private void scanSkipList() {
    for (Map.Entry<String, String> entry : skipList.entrySet()) {
      use(entry.getKey());
      use(entry.getValue());
    }
  }

  private void scanConcurrentTrees() {
    for (KeyValuePair<String> pair : concurrentTrees.getKeyValuePairsForKeysStartingWith("")) {
      use(pair.getKey().toString());
      use(pair.getValue());
    }
  }

  private void valuesOfStore() {
    for (String value : store.values()) {
      use(value);
    }
  }

  private void valuesOfSkipList() {
    for (String value : skipList.values()) {
      use(value);
    }
  }

  private void valuesOfConcurrentTrees() {
    for (String value : concurrentTrees.getValuesForKeysStartingWith("")) {
      use(value);
    }
  }
}
