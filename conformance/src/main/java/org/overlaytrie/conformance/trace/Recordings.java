package org.overlaytrie.conformance.trace;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.conformance.cli.ChildJvm;
import org.overlaytrie.conformance.crash.Fault;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;

/**
 * Recorded executions of real stores: eight threads on few keys, then the store is opened again and
 * they go on. What differs is the storage and how the first run ends.
 */
final class Recordings {
  private static final int TRACE_BYTES = 128 << 20;
  private static final int THREADS = 8;
  private static final int KEYS = 6;
  private static final Duration POLL = Duration.ofMillis(5);

  /** Small segments, so that the log often changes segments. */
  private static final Options OPTIONS = Options.defaults().withWalSegmentBytes(64 << 10);

  private Recordings() {}

  /** Real files; the store is closed in order. */
  static void onFiles(Path trace, Path directory, long seed, int operations)
      throws IOException, InterruptedException {
    run(trace, FileStorage.open(directory), new Workload(seed, THREADS, operations, KEYS));
    run(trace, FileStorage.open(directory), new Workload(seed + 1, THREADS, operations / 4, KEYS));
  }

  /** Real files, another durability, writes that do not wait, and syncs; closed in the middle. */
  static void asked(
      Path trace, Path directory, long seed, int operations, int runs, Durability durability)
      throws IOException, InterruptedException {
    Options options = OPTIONS.withDurability(durability).withAsyncLimit(THREADS);
    for (int run = 0; run < runs; run++) {
      Workload workload = new Workload(seed + run, THREADS, operations, KEYS, true);
      run(trace, FileStorage.open(directory), options, workload::runUntilClosed);
    }
  }

  /** Real files; the store is closed in the middle of the work, {@code runs} times. */
  static void closed(Path trace, Path directory, long seed, int operations, int runs)
      throws IOException, InterruptedException {
    for (int run = 0; run < runs; run++) {
      Workload workload = new Workload(seed + run, THREADS, operations, KEYS);
      run(trace, FileStorage.open(directory), workload::runUntilClosed);
    }
  }

  /**
   * A simulated disk whose machine loses power at its operation number {@code at}; of what was not
   * forced, a random part survives.
   */
  static void powerLoss(Path trace, long seed, int operations, long at)
      throws IOException, InterruptedException {
    SimulatedStorage storage =
        new SimulatedStorage(operation -> operation.index() == at ? Fault.CRASH : null);
    try {
      run(trace, storage, new Workload(seed, THREADS, operations, KEYS));
    } catch (Error stopped) {
      if (!storage.crashed()) {
        throw stopped;
      }
    }
    Random random = new Random(seed);
    SimulatedStorage left = storage.crash(change -> random.nextBoolean());
    run(trace, left, new Workload(seed + 1, THREADS, operations / 4, KEYS));
  }

  /** A simulated disk that fails at its operation number {@code at}; the store is opened again. */
  static void inputOutputError(Path trace, long seed, int operations, long at)
      throws IOException, InterruptedException {
    SimulatedStorage storage =
        new SimulatedStorage(
            operation -> operation.index() == at ? Fault.inputOutputError(seed % 64) : null);
    try {
      run(trace, storage, new Workload(seed, THREADS, operations, KEYS));
    } catch (IOException | UncheckedIOException failed) {
      // As it must: the disk failed, in opening or closing the store.
    }
    run(trace, storage.kill(), new Workload(seed + 1, THREADS, operations / 4, KEYS));
  }

  /**
   * A process of its own on real files, killed with SIGKILL in full work once the trace has {@code
   * chunks} chunks; the store is opened again by this process.
   */
  static void killed(Path trace, Path directory, long seed, int operations, int chunks, Path log)
      throws IOException, InterruptedException {
    try (ChildJvm child =
        new ChildJvm.Builder()
            .classPath(
                Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                    .splitAsStream(System.getProperty("java.class.path"))
                    .map(Path::of)
                    .toList())
            .main(Recordings.class.getName())
            .arguments(List.of(trace.toString(), directory.toString(), Long.toString(seed)))
            .start(log)) {
      while (TraceFile.chunks(trace) < chunks) {
        if (child.awaitExit(POLL)) {
          throw new IOException("the process ended by itself:\n" + Files.readString(log));
        }
      }
    }
    run(trace, FileStorage.open(directory), new Workload(seed + 1, THREADS, operations, KEYS));
  }

  /** The process to be killed: works on until then. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    run(
        Path.of(arguments[0]),
        FileStorage.open(Path.of(arguments[1])),
        new Workload(Long.parseLong(arguments[2]), THREADS, Integer.MAX_VALUE, KEYS));
  }

  /** What the threads do with a store. */
  private interface Work {
    void in(OverlayTrie<String, String> store) throws InterruptedException;
  }

  private static void run(Path trace, Storage storage, Workload workload)
      throws IOException, InterruptedException {
    run(trace, storage, workload::run);
  }

  private static void run(Path trace, Storage storage, Work work)
      throws IOException, InterruptedException {
    run(trace, storage, OPTIONS, work);
  }

  private static void run(Path trace, Storage storage, Options options, Work work)
      throws IOException, InterruptedException {
    try (TraceRecorder recorder = TraceRecorder.open(trace, TRACE_BYTES);
        OverlayTrie<String, String> store =
            StoreSeam.open(storage, Codecs.string(), Codecs.string(), options, recorder)) {
      work.in(store);
    }
  }
}
