package org.overlaytrie.conformance.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Directories;

/**
 * Durable writes per second, side by side in one run: a bare loop that writes the same number of
 * bytes to a preallocated file and forces it, the store with one writer, and the store with 8 and
 * 32. Rounds alternate, so that a slow moment of the machine meets all of them; the first round is
 * dropped.
 *
 * <p>Usage: {@code WriteRates [DIRECTORY [SECONDS_PER_ARM]]}; the directory should be on a real
 * disk.
 */
public final class WriteRates {
  private static final int ROUNDS = 7;
  private static final int[] WRITERS = {1, 8, 32};

  private final Path directory;
  private final double seconds;

  private WriteRates(Path directory, double seconds) {
    this.directory = directory;
    this.seconds = seconds;
  }

  /** Prints one line per round and the medians with their spread. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length > 0 ? args[0] : ".");
    double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 2;
    Path directory = Files.createTempDirectory(parent, "write-rates-");
    try {
      new WriteRates(directory, seconds).run();
    } finally {
      Directories.deleteTree(directory);
    }
  }

  private void run() throws Exception {
    List<double[]> rounds = new ArrayList<>();
    System.out.printf(
        "%6s %12s %12s %12s %12s%n", "round", "bare loop", "1 writer", "8 writers", "32 writers");
    for (int round = 0; round < ROUNDS; round++) {
      double[] rates = new double[1 + WRITERS.length];
      int frameBytes = frameBytes();
      rates[0] = bareLoop(frameBytes);
      for (int arm = 0; arm < WRITERS.length; arm++) {
        rates[arm + 1] = store(round, WRITERS[arm]);
      }
      System.out.printf(
          Locale.ROOT,
          "%6s %10.0f/s %10.0f/s %10.0f/s %10.0f/s%n",
          round == 0 ? "warm" : round,
          rates[0],
          rates[1],
          rates[2],
          rates[3]);
      if (round > 0) {
        rounds.add(rates);
      }
    }
    System.out.println(Ratios.describe("1 writer / bare loop", rounds, 1, 0));
    System.out.println(Ratios.describe("8 writers / 1 writer", rounds, 2, 1));
    System.out.println(Ratios.describe("32 writers / 1 writer", rounds, 3, 1));
  }

  private static String key(int writer, long i) {
    return String.format("key-%02d-%09d", writer, i);
  }

  /** What one put of ours costs in the log: measured, so that the bare loop writes the same. */
  private int frameBytes() throws IOException {
    Path probe = directory.resolve("probe");
    long[] written = new long[2];
    for (int puts = 0; puts < 2; puts++) {
      try (OverlayTrie<String, Long> store =
          OverlayTrie.open(probe, Codecs.string(), Codecs.longs())) {
        for (int i = 0; i < 100 * puts; i++) {
          store.put(key(0, i), (long) i);
        }
      }
      written[puts] = lastByte(probe.resolve("wal-00000001.log"));
      Directories.deleteTree(probe);
    }
    return (int) ((written[1] - written[0]) / 100);
  }

  private static long lastByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private double bareLoop(int frameBytes) throws IOException {
    Path path = directory.resolve("bare");
    byte[] frame = new byte[frameBytes];
    Arrays.fill(frame, (byte) 1);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      int size = 16 << 20;
      file.write(new byte[size]);
      file.getFD().sync();
      long writes = 0;
      long start = System.nanoTime();
      long end = start + (long) (seconds * 1e9);
      do {
        file.seek(writes * frameBytes % (size - frameBytes));
        file.write(frame);
        file.getFD().sync();
        writes++;
      } while (System.nanoTime() < end);
      return writes / ((System.nanoTime() - start) / 1e9);
    } finally {
      Files.delete(path);
    }
  }

  private double store(int round, int writers) throws Exception {
    Path path = directory.resolve("store-" + round + "-" + writers);
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try (OverlayTrie<String, Long> store =
        OverlayTrie.open(path, Codecs.string(), Codecs.longs())) {
      CyclicBarrier begin = new CyclicBarrier(writers);
      List<Callable<Double>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int writer = w;
        tasks.add(() -> writerRate(store, writer, begin));
      }
      double rate = 0;
      for (Future<Double> result : pool.invokeAll(tasks)) {
        rate += result.get();
      }
      return rate;
    } finally {
      pool.shutdownNow();
      Directories.deleteTree(path);
    }
  }

  private double writerRate(OverlayTrie<String, Long> store, int writer, CyclicBarrier begin)
      throws Exception {
    begin.await();
    long writes = 0;
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    do {
      store.put(key(writer, writes), writes);
      writes++;
    } while (System.nanoTime() < end);
    return writes / ((System.nanoTime() - start) / 1e9);
  }
}
