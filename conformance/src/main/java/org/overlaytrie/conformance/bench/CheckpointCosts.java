package org.overlaytrie.conformance.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.overlaytrie.CheckpointPolicy;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Directories;

/**
 * What checkpoints cost, each comparison in one run.
 *
 * <ul>
 *   <li>{@code INCREMENT}: a checkpoint after a hundredth of the entries was changed, in time and
 *       in bytes, over the first one, which writes everything; changed in one range of keys, and at
 *       random.
 *   <li>{@code LATENCY}: the 999th thousandth of the time of a put while checkpoints are made
 *       without a pause, over that without any; rounds alternate.
 *   <li>{@code REOPEN}: the time to open a store whose process was killed, with few and with many
 *       entries, and the resident memory of the process then, over the size of the image. Each
 *       opening is a process of its own.
 *   <li>{@code BOUND}: the most that the log ever took, over its limit and a segment, while 8
 *       threads write; a store whose forces cost nothing shows it fastest.
 * </ul>
 *
 * <p>Usage: {@code CheckpointCosts INCREMENT|LATENCY|REOPEN|BOUND [DIRECTORY [ENTRIES|SECONDS]]}.
 */
public final class CheckpointCosts {
  private static final Options OPTIONS =
      Options.defaults().withDurability(Durability.NONE).withCheckpoints(CheckpointPolicy.manual());
  private static final int BATCH = 10_000;

  private CheckpointCosts() {}

  /** Prints the figures of one comparison. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length > 1 ? args[1] : ".");
    long size = args.length > 2 ? Long.parseLong(args[2]) : 1_000_000;
    if (args[0].equals("LOAD")) {
      loadAndDie(parent, size);
    } else if (args[0].equals("OPEN")) {
      open(parent);
    } else {
      Path directory = Files.createTempDirectory(parent, "checkpoint-costs-");
      try {
        switch (args[0]) {
          case "INCREMENT" -> increment(directory, size);
          case "LATENCY" -> latency(directory, size);
          case "REOPEN" -> reopen(directory, size);
          case "BOUND" -> bound(directory, args.length > 2 ? size : 60);
          default -> throw new IllegalArgumentException(args[0]);
        }
      } finally {
        Directories.deleteTree(directory);
      }
    }
  }

  private static OverlayTrie<Long, Long> openLongs(Path directory, Options options) {
    return OverlayTrie.open(directory, Codecs.longs(), Codecs.longs(), options);
  }

  /** Keys that are spread over the whole range of numbers. */
  private static long key(long index) {
    return index * 0x9E3779B97F4A7C15L;
  }

  private static void load(OverlayTrie<Long, Long> store, long entries) {
    for (long start = 0; start < entries; start += BATCH) {
      long from = start;
      store.writeBatch(
          batch -> {
            for (long i = from; i < Math.min(entries, from + BATCH); i++) {
              batch.put(key(i), i);
            }
          });
    }
  }

  private static void increment(Path directory, long entries) throws IOException {
    List<double[]> rounds = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      Path path = directory.resolve("store " + round);
      try (OverlayTrie<Long, Long> store = openLongs(path, OPTIONS)) {
        load(store, entries);
        double[] figures = new double[6];
        checkpoint(store, figures, 0);
        SplittableRandom random = new SplittableRandom(round);
        List<Long> range = store.keySet().stream().skip(entries / 3).limit(entries / 100).toList();
        range.forEach(key -> store.put(key, -1L));
        checkpoint(store, figures, 2);
        for (long i = 0; i < entries / 100; i++) {
          store.put(key(random.nextLong(entries)), -2L);
        }
        checkpoint(store, figures, 4);
        System.out.printf(
            Locale.ROOT,
            "first %.1f ms, %,.0f bytes; range %.1f ms, %,.0f bytes; random %.1f ms, %,.0f bytes%n",
            figures[0],
            figures[1],
            figures[2],
            figures[3],
            figures[4],
            figures[5]);
        if (round > 0) {
          rounds.add(figures);
        }
      }
      Directories.deleteTree(path);
    }
    System.out.println(Ratios.describe("1 % in one range / first, time", rounds, 2, 0));
    System.out.println(Ratios.describe("1 % in one range / first, bytes", rounds, 3, 1));
    System.out.println(Ratios.describe("1 % at random / first, time", rounds, 4, 0));
    System.out.println(Ratios.describe("1 % at random / first, bytes", rounds, 5, 1));
  }

  private static void checkpoint(OverlayTrie<Long, Long> store, double[] figures, int at) {
    store.sync();
    long start = System.nanoTime();
    store.checkpoint();
    figures[at] = (System.nanoTime() - start) / 1e6;
    figures[at + 1] = store.checkpointStatus().writtenBytes();
  }

  private static void latency(Path directory, long entries) throws Exception {
    List<double[]> rounds = new ArrayList<>();
    Options options = OPTIONS.withDurability(Durability.SYNC);
    try (OverlayTrie<Long, Long> store = openLongs(directory.resolve("store"), options)) {
      load(store, entries);
      store.checkpoint();
      for (int round = 0; round < 8; round++) {
        double without = latencyOfPuts(store, entries);
        long before = store.checkpointStatus().completed();
        AtomicBoolean ended = new AtomicBoolean();
        Thread checkpoints =
            new Thread(
                () -> {
                  while (!ended.get()) {
                    store.checkpoint();
                  }
                });
        checkpoints.start();
        double with = latencyOfPuts(store, entries);
        ended.set(true);
        checkpoints.join();
        System.out.printf(
            Locale.ROOT,
            "p999 without %.0f us, with %.0f us, %d checkpoints%n",
            without,
            with,
            store.checkpointStatus().completed() - before);
        if (round > 0) {
          rounds.add(new double[] {without, with});
        }
      }
    }
    System.out.println(Ratios.describe("p999 of put with / without checkpoints", rounds, 1, 0));
  }

  private static double latencyOfPuts(OverlayTrie<Long, Long> store, long entries) {
    SplittableRandom random = new SplittableRandom(entries);
    long[] nanos = new long[20_000];
    for (int i = 0; i < nanos.length; i++) {
      long start = System.nanoTime();
      store.put(key(random.nextLong(entries)), start);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[nanos.length * 999 / 1_000] / 1e3;
  }

  private static void reopen(Path directory, long entries) throws Exception {
    Path few = directory.resolve("few");
    Path many = directory.resolve("many");
    run("LOAD", few, entries);
    run("LOAD", many, 10 * entries);
    for (int round = 0; round < 6; round++) {
      run("OPEN", few, 0);
      run("OPEN", many, 0);
    }
  }

  private static void run(String what, Path directory, long entries) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx4g",
                "-cp",
                System.getProperty("java.class.path"),
                CheckpointCosts.class.getName(),
                what,
                directory.toString(),
                Long.toString(entries))
            .inheritIO()
            .start();
    process.waitFor();
  }

  /** Killed in the middle of its work, with a log behind its last checkpoint. */
  private static void loadAndDie(Path directory, long entries) {
    OverlayTrie<Long, Long> store = openLongs(directory, OPTIONS);
    load(store, entries);
    store.checkpoint();
    for (long i = 0; i < 1_000; i++) {
      store.put(key(i * 97 % entries), -i);
    }
    store.sync();
    Runtime.getRuntime().halt(1);
  }

  private static void open(Path directory) throws IOException {
    long image;
    try (Stream<Path> files = Files.list(directory)) {
      image =
          files
              .filter(file -> file.toString().endsWith(".seg"))
              .mapToLong(CheckpointCosts::bytes)
              .sum();
    }
    long before = residentBytes();
    long start = System.nanoTime();
    OverlayTrie<Long, Long> store = openLongs(directory, OPTIONS);
    double millis = (System.nanoTime() - start) / 1e6;
    long read = store.get(key(1));
    long after = residentBytes();
    System.out.printf(
        Locale.ROOT,
        "%,d entries, image of %,d bytes: opened in %.1f ms; resident before %,d, after %,d bytes,"
            + " the difference %.3f of the image (read %d)%n",
        store.size(),
        image,
        millis,
        before,
        after,
        (after - before) / (double) image,
        read);
    Runtime.getRuntime().halt(1);
  }

  private static long bytes(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024)
        .sum();
  }

  private static void bound(Path directory, long seconds) throws InterruptedException {
    Options options =
        Options.defaults()
            .withWalSegmentBytes(4 << 20)
            .withCheckpoints(
                CheckpointPolicy.defaults().withBytes(16 << 20).withLogLimitBytes(32 << 20));
    AtomicLong most = new AtomicLong();
    AtomicLong writes = new AtomicLong();
    long end = System.nanoTime() + seconds * 1_000_000_000;
    try (OverlayTrie<Long, Long> store = openLongs(directory.resolve("store"), options)) {
      List<Thread> threads = new ArrayList<>();
      for (int n = 0; n < 8; n++) {
        SplittableRandom random = new SplittableRandom(n);
        Thread thread =
            new Thread(
                () -> {
                  while (System.nanoTime() < end) {
                    store.put(key(random.nextLong(1_000_000)), random.nextLong());
                    writes.incrementAndGet();
                    most.accumulateAndGet(store.checkpointStatus().logBytes(), Math::max);
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.printf(
          Locale.ROOT,
          "%,d writes, %d checkpoints (%d failed): the log took at most %,d bytes; %.3f of its limit"
              + " and a segment%n",
          writes.get(),
          store.checkpointStatus().completed(),
          store.checkpointStatus().failed(),
          most.get(),
          most.get() / (double) ((32 << 20) + (4 << 20)));
    }
  }
}
