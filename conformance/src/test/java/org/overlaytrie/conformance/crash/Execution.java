package org.overlaytrie.conformance.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.overlaytrie.Options;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.conformance.crash.Recoveries.Recovered;
import org.overlaytrie.spec.Invariants;
import org.overlaytrie.spec.Observations;
import org.overlaytrie.spec.Recoverable;
import org.overlaytrie.storage.StoreFiles;

/**
 * One open of a store on a simulated disk, from opening to closing, crash or failure, with every
 * moment noted at which the disk could have been left behind.
 */
final class Execution {
  /** Kept, lest it forget that it is to say nothing of checkpoints that are made to fail. */
  private static final Logger LOGGER = Logger.getLogger("org.overlaytrie");

  static {
    LOGGER.setLevel(Level.OFF);
  }

  /** What there was before: of the store's whole life, or at least of what is checked of it. */
  record Past(
      Map<String, String> initial, History history, CommitOrder order, Observations observations) {
    static Past of(Map<String, String> initial, long lsn) {
      return new Past(initial, new History(), new CommitOrder(initial, lsn), new Observations());
    }
  }

  private final Past past;
  private final Options options;
  private final Function<Operation, Fault> faults;
  private final Turns turns;
  private final Set<String> observedKeys;
  private final List<CrashPoint> points = new ArrayList<>();
  private final SimulatedStorage storage;
  private ObservedStore store;
  private long requiredLsn;

  /**
   * Prepares an execution.
   *
   * @param disk what is found; not changed
   * @param faults how operations go wrong
   * @param turns who runs when; null to leave that to the machine
   * @param observedKeys what a reader reads before each operation at which a crash point is noted;
   *     null to note none
   */
  Execution(
      SimulatedStorage disk,
      Past past,
      Options options,
      Function<Operation, Fault> faults,
      Turns turns,
      Set<String> observedKeys,
      long requiredLsn) {
    this.storage = disk.kill(this::before);
    this.past = past;
    this.options = options;
    this.faults = faults;
    this.turns = turns;
    this.observedKeys = observedKeys;
    this.requiredLsn = requiredLsn;
  }

  private Fault before(Operation operation) {
    if (turns != null && !isGuarded(operation)) {
      turns.step();
    }
    if (operation.kind().changesDisk()) {
      notePoint();
    }
    return faults.apply(operation);
  }

  /**
   * Whether the operation is done under a lock: whoever loses the turn there leaves the others to
   * wait for a thread that nobody lets go on.
   */
  private static boolean isGuarded(Operation operation) {
    return operation.file().equals(StoreFiles.SUPERBLOCK)
        || StoreFiles.imageSegmentNumber(operation.file()).isPresent();
  }

  /** Somebody reads everything, and then the machine may stop. */
  private void notePoint() {
    if (observedKeys != null) {
      if (store != null) {
        observedKeys.forEach(key -> store.call(-1, Request.get(key)));
      }
      points.add(pointNow());
    }
  }

  /** This moment. */
  CrashPoint pointNow() {
    if (store != null && turns == null) {
      StoreSeam.endCheckpoints(
          store.store()); // no thread of the store may go on while it is copied
    }
    if (store != null) {
      requiredLsn = store.requiredLsn();
    }
    return new CrashPoint(storage.kill(), past.history.length(), requiredLsn);
  }

  /** Every moment so far. */
  List<CrashPoint> points() {
    return points;
  }

  /** Whether the store was opened. */
  boolean opened() {
    return store != null;
  }

  /** What opening found. */
  Recovered recovered() {
    return new Recovered(store.recoveredLsn(), store.recoveredContent());
  }

  /** The store, once opened. */
  ObservedStore store() {
    return store;
  }

  /**
   * Opens the store.
   *
   * @throws IOException if an operation failed
   * @throws SimulatedCrash if the machine stopped
   */
  void open() throws IOException {
    store =
        new ObservedStore(
            storage,
            options,
            past.history,
            past.order,
            past.observations,
            turns == null ? Parking.LOCK_SUPPORT : turns,
            turns == null ? () -> {} : turns::step);
  }

  /** Lets the clients make their requests, each until it is refused, then notes a last moment. */
  void run(List<List<Request>> clients) {
    runAll(clientsOf(clients));
  }

  /** The same, while somebody closes the store. */
  void runAndClose(List<List<Request>> clients) {
    List<Runnable> work = new ArrayList<>(clientsOf(clients));
    work.add(
        () -> {
          try {
            store.close();
          } catch (UncheckedIOException | SimulatedCrash e) {
            // the log could not be closed; what was acknowledged is checked all the same
          }
        });
    runAll(work);
  }

  private List<Runnable> clientsOf(List<List<Request>> clients) {
    return IntStream.range(0, clients.size())
        .<Runnable>mapToObj(client -> () -> run(client, clients.get(client)))
        .toList();
  }

  private void runAll(List<Runnable> work) {
    if (turns == null) {
      Threads.runAll(work);
    } else {
      turns.run(work);
    }
    notePoint();
  }

  private void run(int client, List<Request> requests) {
    for (Request request : requests) {
      if (!store.call(client, request)) {
        return;
      }
    }
  }

  /** Closes the store and notes a last moment. */
  void close() {
    try {
      store.close();
    } finally {
      requiredLsn = store.requiredLsn();
      store = null;
    }
    notePoint();
  }

  /**
   * Runs the checks of the invariants on the store and on the log that a power failure would leave
   * now; for stores that were observed since their creation.
   */
  void checkInvariants() throws IOException {
    Recoverable found = StoreSeam.recoverable(storage.crash(index -> false));
    Invariants.check(past.observations, StoreSeam.visible(store.store()), found);
  }

  /** A failed store must refuse every write, go on reading, and close quietly. */
  void checkRefusesWrites() {
    Map<String, String> content = ObservedStore.contentOf(store.store());
    long answered = store.requiredLsn();
    try {
      store.store().put("refused", "1");
      throw new AssertionError("a failed store acknowledged a write");
    } catch (StoreFailedException e) {
      // as promised
    }
    if (!content.equals(ObservedStore.contentOf(store.store()))
        || store.requiredLsn() != answered) {
      throw new AssertionError("a failed store moved on");
    }
  }
}
