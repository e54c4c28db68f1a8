package org.overlaytrie.conformance.crash;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.overlaytrie.CheckpointPolicy;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;

/**
 * The process that is killed: opens the store, compares it with the ledger, and puts every key,
 * with several threads. Never closes the store. Tells its parent where it is by single bytes on
 * standard output.
 *
 * <p>Arguments: directory, file of keys, ledger, number of the run, number of threads, index of the
 * first key.
 */
final class KillChild {
  /** About to open the store. */
  static final int OPENING = 'S';

  /** The store is open and right. */
  static final int OPENED = 'O';

  /** A put returned. */
  static final int ACKNOWLEDGED = 'A';

  /** The exit status if the store was not right. */
  static final int WRONG = 3;

  /** Segments so small that a run fills several, and checkpoints all the while. */
  static final Options OPTIONS =
      Options.defaults()
          .withWalSegmentBytes(1 << 17)
          .withImageSegmentBytes(1 << 16)
          .withCheckpoints(CheckpointPolicy.manual().withChanges(500).withLogLimitBytes(1 << 20));

  private static final FileOutputStream PARENT = new FileOutputStream(FileDescriptor.out);

  private KillChild() {}

  public static void main(String[] arguments) throws IOException {
    KillLedger ledger =
        KillLedger.open(Path.of(arguments[2]), Files.readAllLines(Path.of(arguments[1])));
    int run = Integer.parseInt(arguments[3]);
    int first = Integer.parseInt(arguments[5]);
    tell(OPENING);
    OverlayTrie<String, String> store =
        OverlayTrie.open(Path.of(arguments[0]), Codecs.string(), Codecs.string(), OPTIONS);
    KillLedger.Findings findings = ledger.compare(store);
    if (!findings.none()) {
      System.err.println(findings);
      System.exit(WRONG);
    }
    tell(OPENED);
    AtomicInteger next = new AtomicInteger();
    Runnable putting = () -> put(store, ledger, run, first, next);
    Threads.runAll(Collections.nCopies(Integer.parseInt(arguments[4]), putting));
  }

  private static void put(
      OverlayTrie<String, String> store,
      KillLedger ledger,
      int run,
      int first,
      AtomicInteger next) {
    try {
      for (int n = next.getAndIncrement(); n < ledger.size(); n = next.getAndIncrement()) {
        int index = (first + n) % ledger.size();
        ledger.attempt(index, run);
        store.put(ledger.key(index), KillLedger.value(ledger.key(index), run));
        ledger.acknowledge(index, run);
        tell(ACKNOWLEDGED);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void tell(int what) throws IOException {
    PARENT.write(what);
  }
}
