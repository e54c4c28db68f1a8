package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * An {@link Error} ends the leader at each of its steps in turn, once or from then on, while others
 * sleep, or a sleeper at each of its own. Nobody may sleep for ever, nobody may be told what is not
 * so, and nobody but the leader may fail the store. If the test hangs, it has found a sleeper.
 */
@Tag("crash")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!FailedAcknowledgesNothingInv",
  "SequencedCommit!NoLostWriteInv",
  "SequencedCommit!NoInventedWriteInv"
})
class LeaderErrorTest {
  /** Where the first leader waits until the others sleep, which decides what it has yet to do. */
  private static final List<String> GATES = List.of("becomeLeader", "collectBatch", "drainWaiters");

  private static final List<String> SLEEPERS_STEPS = List.of("enqueue", "recheckVisible", "park");

  private static final List<Error> ERRORS =
      List.of(new OutOfMemoryError("test"), new StackOverflowError("test"));

  @Test
  void whereverTheLeaderDiesEverybodyIsLetGoAndNothingIsLost(TestReporter reporter)
      throws Exception {
    Set<String> fatalSteps = new TreeSet<>();
    int deaths = 0;
    for (Error error : ERRORS) {
      for (String gate : GATES) {
        for (boolean closing : List.of(false, true)) {
          for (boolean forever : List.of(false, true)) {
            for (int number = 0; ; number++) {
              Death death = new Death(gate, number, error, forever);
              live(death, closing);
              if (death.fatalStep == null) {
                break;
              }
              fatalSteps.add(death.fatalStep);
              deaths++;
            }
          }
        }
      }
    }
    reporter.publishEntry("deaths", Integer.toString(deaths));
    assertThat(fatalSteps)
        .containsExactly(
            "FORCE",
            "WRITE",
            "becomeLeader",
            "collectBatch",
            "drainWaiters",
            "forceLog",
            "handOver",
            "makeVisible",
            "recheckTip",
            "releaseLeadership",
            "wakeServed",
            "writeFrame");
  }

  /** Three threads sleep, and maybe one that closes the store, when the first leader goes on. */
  private static void live(Death death, boolean closing) throws Exception {
    try {
      Machine machine = new Machine(death);
      OverlayTrie<String, String> store = machine.open();
      store.put("a", "0");
      death.armed = true;
      Map<String, Future<String>> writes = new TreeMap<>();
      writes.put("w0", start(() -> store.put("w0", "v")));
      death.gate.awaitReached();
      for (String key : List.of("w1", "w2", "w3")) {
        writes.put(key, start(() -> store.put(key, "v")));
        machine.awaitSleeper();
      }
      Future<?> close = null;
      if (closing) {
        close = start(() -> closeOf(store));
        machine.awaitSleeper();
      }
      death.gate.open();
      Map<String, String> acknowledged = new HashMap<>(Map.of("a", "0"));
      for (Map.Entry<String, Future<String>> write : writes.entrySet()) {
        if (isAnswered(write.getValue(), death.error)) {
          acknowledged.put(write.getKey(), "v");
        }
      }
      if (closing) {
        requireClosed(close, death.error);
      } else {
        goOn(store, acknowledged, death);
      }
      store.close();
      requireAll(acknowledged, machine);
    } catch (Throwable e) {
      throw new AssertionError(death + (closing ? ", closing" : ""), e);
    }
  }

  private static Void closeOf(OverlayTrie<String, String> store) {
    store.close();
    return null;
  }

  /** Closing ends, if with the error that it met when the leadership and the log were its own. */
  private static void requireClosed(Future<?> close, Error error) throws Exception {
    try {
      assertThat(close.get()).isNull();
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isSameAs(error);
    }
  }

  private static boolean isAnswered(Future<String> write, Error error) throws Exception {
    try {
      assertThat(write.get()).isNull();
      return true;
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(StoreFailedException.class).cause().isSameAs(error);
      return false;
    }
  }

  private static void goOn(
      OverlayTrie<String, String> store, Map<String, String> acknowledged, Death death) {
    if (death.fatalStep == null) {
      death.armed = false;
      assertThat(acknowledged).hasSize(5);
      assertThat(store.put("late", "v")).isNull();
    } else {
      assertThatThrownBy(() -> store.put("late", "v"))
          .isInstanceOf(StoreFailedException.class)
          .cause()
          .isSameAs(death.error);
    }
    assertThat(store).containsAllEntriesOf(acknowledged);
  }

  private static void requireAll(Map<String, String> acknowledged, Machine machine)
      throws IOException {
    try (OverlayTrie<String, String> reopened = machine.reopen()) {
      assertThat(reopened).containsAllEntriesOf(acknowledged);
      assertThat(reopened.keySet()).isSubsetOf("a", "w0", "w1", "w2", "w3", "late");
      assertThat(reopened.put("new", "v")).isNull();
    }
  }

  @Test
  void whoLeadsNoLongerCannotFailTheStore() throws Exception {
    for (String step : List.of("releaseLeadership", "recheckTip")) {
      Error error = new OutOfMemoryError("test");
      Gate dying = new Gate();
      Gate leading = new Gate();
      Machine machine =
          new Machine(
              taken -> {
                if (taken.equals(step) && dying.hold()) {
                  throw error;
                }
                if (taken.equals("collectBatch") && dying.isReached()) {
                  leading.hold();
                }
              });
      OverlayTrie<String, String> store = machine.open();
      Future<String> first = start(() -> store.put("first", "v"));
      dying.awaitReached();
      Future<String> second = start(() -> store.put("second", "v"));
      leading.awaitReached();
      Future<String> third = start(() -> store.put("third", "v"));
      machine.awaitSleeper();

      dying.open();
      assertThat(first.get()).as("its change was visible before").isNull();
      assertThat(StoreSeam.visible(store).failure()).isNull();
      Future<String> fourth = start(() -> store.put("fourth", "v"));
      machine.awaitSleeper();
      leading.open();
      for (Future<String> write : List.of(second, third, fourth)) {
        assertThat(write.get()).isNull();
      }
      assertThat(store.put("fifth", "v")).isNull();
      store.close();
      try (OverlayTrie<String, String> reopened = machine.reopen()) {
        assertThat(reopened).containsOnlyKeys("first", "second", "third", "fourth", "fifth");
      }
    }
  }

  @Test
  void whatIsThrownInASleeperDoesNotKeepItFromLeading() throws Exception {
    for (String step : SLEEPERS_STEPS) {
      for (Error error : ERRORS) {
        Gate leading = new Gate();
        Gate dying = new Gate();
        Machine machine =
            new Machine(
                taken -> {
                  if (taken.equals("collectBatch")) {
                    leading.hold();
                  } else if (taken.equals(step) && dying.hold()) {
                    throw error;
                  }
                });
        OverlayTrie<String, String> store = machine.open();
        Future<String> first = start(() -> store.put("first", "v"));
        leading.awaitReached();
        Future<String> second = start(() -> store.put("second", "v"));
        dying.awaitReached();
        Future<String> third = start(() -> store.put("third", "v"));
        machine.awaitSleeper();
        dying.open();
        machine.awaitSleeper();

        leading.open();
        assertThat(first.get()).isNull();
        assertThatThrownBy(second::get).as(step).cause().isSameAs(error);
        assertThat(third.get()).isNull();
        assertThat(store.put("fourth", "v")).isNull();
        assertThat(store).containsOnlyKeys("first", "second", "third", "fourth");
        store.close();
      }
    }
  }

  private static <T> Future<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  /** Holds the first thread that comes, until it is opened. */
  private static final class Gate {
    private final Semaphore first = new Semaphore(1);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /** Whether this thread was the first. */
    boolean hold() {
      if (!first.tryAcquire()) {
        return false;
      }
      reached.countDown();
      await(open);
      return true;
    }

    boolean isReached() {
      return reached.getCount() == 0;
    }

    void awaitReached() {
      await(reached);
    }

    void open() {
      open.countDown();
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Throws at a leader's step of a certain number, counted from the gate on. */
  private static final class Death implements Consumer<String> {
    final Error error;
    final Gate gate = new Gate();
    volatile boolean armed;
    volatile String fatalStep;
    private final String gateStep;
    private final int number;
    private final boolean forever;
    private final AtomicInteger steps = new AtomicInteger();

    Death(String gateStep, int number, Error error, boolean forever) {
      this.gateStep = gateStep;
      this.number = number;
      this.error = error;
      this.forever = forever;
    }

    @Override
    public void accept(String step) {
      if (!armed || SLEEPERS_STEPS.contains(step) || !(gate.isReached() || step.equals(gateStep))) {
        return;
      }
      gate.hold();
      int taken = steps.getAndIncrement();
      if (taken == number) {
        fatalStep = step;
      }
      if (taken == number || (forever && taken > number)) {
        throw error;
      }
    }

    @Override
    public String toString() {
      return "%s %s step %d, %s, after waiting in %s"
          .formatted(error, forever ? "from" : "at", number, fatalStep, gateStep);
    }
  }

  /** A disk, and threads on it whose steps as leaders are told to the script beforehand. */
  private static final class Machine implements ProtocolEvents, Parking {
    private final Consumer<String> script;
    private final SimulatedStorage disk;
    private final Set<Thread> slept = ConcurrentHashMap.newKeySet();
    private final Semaphore sleepers = new Semaphore(0);

    Machine(Consumer<String> script) {
      this.script = script;
      this.disk =
          new SimulatedStorage(
              operation -> {
                if (operation.kind() == Kind.WRITE || operation.kind() == Kind.FORCE) {
                  script.accept(operation.kind().name());
                }
                return null;
              });
    }

    OverlayTrie<String, String> open() throws IOException {
      return StoreSeam.open(disk, Codecs.string(), Codecs.string(), Programs.TINY, this, this);
    }

    OverlayTrie<String, String> reopen() throws IOException {
      return StoreSeam.open(
          disk.kill(), Codecs.string(), Codecs.string(), Programs.TINY, ProtocolEvents.NONE);
    }

    /** Returns once one more thread has gone to sleep. */
    void awaitSleeper() throws InterruptedException {
      sleepers.acquire();
    }

    @Override
    public void park(Object blocker) {
      if (slept.add(Thread.currentThread())) {
        sleepers.release();
      }
      LockSupport.park(blocker);
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }

    @Override
    public void becomeLeader(long term) {
      script.accept("becomeLeader");
    }

    @Override
    public void enqueue(long lsn) {
      script.accept("enqueue");
    }

    @Override
    public void recheckVisible(long visibleLsn) {
      script.accept("recheckVisible");
    }

    @Override
    public void park(long term) {
      script.accept("park");
    }

    @Override
    public void collectBatch(long endLsn) {
      script.accept("collectBatch");
    }

    @Override
    public void writeFrame(long incarnation, long firstLsn, long lastLsn) {
      script.accept("writeFrame");
    }

    @Override
    public void forceLog(long lastLsn) {
      script.accept("forceLog");
    }

    @Override
    public void makeVisible(long lsn) {
      script.accept("makeVisible");
    }

    @Override
    public void drainWaiters(long[] waiters, long[] lsns) {
      script.accept("drainWaiters");
    }

    @Override
    public void wakeServed(long waiter, long lsn) {
      script.accept("wakeServed");
    }

    @Override
    public void handOver(long waiter, long lsn, long term) {
      script.accept("handOver");
    }

    @Override
    public void releaseLeadership(long term) {
      script.accept("releaseLeadership");
    }

    @Override
    public void recheckTip(long tipLsn) {
      script.accept("recheckTip");
    }

    @Override
    public void failStore() {
      script.accept("failStore");
    }
  }
}
