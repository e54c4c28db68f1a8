package org.overlaytrie.spec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.overlaytrie.Durability;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.Version;
import org.overlaytrie.conformance.crash.Fault;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.StoreDirectory;
import org.overlaytrie.wal.StoreIdentity;
import org.overlaytrie.wal.WriteAheadLog;

/**
 * Each check holds on a store that runs, one that has failed and one that has recovered; and each
 * notices when one of the things that it compares is not as the store left it.
 */
class InvariantsTest {

  private static final int THREADS = 3;
  private static final int WRITES = 12;

  /** A store on a disk that can be stopped at its next force. */
  private static final class Life {
    private final Observations observations = new Observations();
    private SimulatedStorage disk;
    private SequencedCommit commit;
    private volatile boolean stopping;

    Life() throws IOException {
      open(new SimulatedStorage());
    }

    private void open(SimulatedStorage found) throws IOException {
      stopping = false;
      disk =
          found.kill(operation -> stopping && operation.kind() == Kind.FORCE ? Fault.CRASH : null);
      List<LogRecord> records = new ArrayList<>();
      WriteAheadLog log = openLog(disk, observations, records);
      Trie trie = Trie.EMPTY;
      for (LogRecord change : records) {
        trie = change.applyTo(trie);
      }
      commit =
          new SequencedCommit(trie, log, observations, Parking.LOCK_SUPPORT, Durability.SYNC, 1);
    }

    /** Every thread writes, removes, finds keys present, and reads. */
    void runThreads() throws InterruptedException {
      List<Thread> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        String name = "thread " + thread;
        threads.add(
            new Thread(
                () -> {
                  for (int i = 0; i < WRITES; i++) {
                    write(OperationKind.PUT, "key " + i % 5, name + " " + i);
                    write(OperationKind.PUT_IF_ABSENT, "key " + (i + 1) % 5, name);
                    write(OperationKind.REMOVE, "key " + (i + 2) % 5, null);
                    writeBatch("key " + (i + 3) % 5, name + " batch " + i);
                    commit.read(("key " + i % 5).getBytes(UTF_8));
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }

    void put(String key, String value) {
      write(OperationKind.PUT, key, value);
    }

    private void write(OperationKind kind, String key, String value) {
      commit.write(
          new Operation(
              kind, key.getBytes(UTF_8), null, value == null ? null : value.getBytes(UTF_8)));
    }

    /** Sets two keys and removes all behind another. */
    private void writeBatch(String key, String value) {
      commit.write(
          Operation.batch(
              new LogRecord.Batch(
                  List.of(
                      new LogRecord.Put(key.getBytes(UTF_8), value.getBytes(UTF_8)),
                      new LogRecord.Put("key 0".getBytes(UTF_8), value.getBytes(UTF_8)),
                      new LogRecord.RemoveRange("key 4".getBytes(UTF_8), null)))));
    }

    /** The machine stops before this change is durable. */
    void lose(String key, String value) {
      stopping = true;
      assertThatThrownBy(() -> put(key, value)).isInstanceOf(StoreFailedException.class);
    }

    /** Everything unforced is gone; the store is opened again. */
    void recover() throws IOException {
      open(disk.crash(change -> false));
    }

    Version visible() {
      return commit.visible();
    }

    /** What recovery finds if the machine stops now and takes everything unforced. */
    List<LogRecord> log() throws IOException {
      List<LogRecord> records = new ArrayList<>();
      openLog(disk.crash(change -> false), ProtocolEvents.NONE, records).abandon();
      return records;
    }

    private static WriteAheadLog openLog(
        SimulatedStorage disk, ProtocolEvents events, List<LogRecord> records) throws IOException {
      StoreDirectory directory =
          StoreDirectory.open(
              disk,
              new StoreIdentity("string", 1, "string", 1),
              WriteAheadLog.MIN_SEGMENT_BYTES,
              events);
      return WriteAheadLog.open(directory, records::add);
    }

    void check() throws IOException {
      Invariants.check(observations, visible(), Recoverable.of(log()));
    }
  }

  private Life life;
  private Version before;
  private List<LogRecord> log;

  @BeforeEach
  void runAStore() throws IOException, InterruptedException {
    life = new Life();
    life.runThreads();
    before = life.visible();
    life.put("last key", "last value");
    life.commit.read("last key".getBytes(UTF_8));
    log = life.log();
    assertThat(log).hasSizeGreaterThan(THREADS * WRITES);
  }

  @Test
  void allHoldOnARunningAFailedAndARecoveredStore() throws IOException, InterruptedException {
    life.check();
    for (int round = 0; round < 3; round++) {
      life.lose("lost key", "round " + round);
      life.check();
      life.recover();
      life.check();
      life.runThreads();
      life.check();
    }
  }

  @Test
  @Checks("SequencedCommit!VisibleIsDurableInv")
  void noticesWhatIsVisibleAndNotInTheLog() {
    Invariants.visibleIsDurableInv(life.visible(), Recoverable.of(log));
    assertViolates(
        "VisibleIsDurableInv",
        () -> Invariants.visibleIsDurableInv(life.visible(), Recoverable.of(withoutLast())));
    assertViolates(
        "VisibleIsDurableInv",
        () ->
            Invariants.visibleIsDurableInv(
                life.visible(), Recoverable.of(withLast("last key", "other value"))));
    assertViolates(
        "VisibleIsDurableInv",
        () ->
            Invariants.visibleIsDurableInv(
                life.visible(), Recoverable.of(withLast("other key", "last value"))));
  }

  @Test
  @Checks("SequencedCommit!AnsweredIsVisibleInv")
  void noticesAnAnswerThatReadersCannotSeeYet() {
    Invariants.answeredIsVisibleInv(life.observations, life.visible());
    assertViolates(
        "AnsweredIsVisibleInv", () -> Invariants.answeredIsVisibleInv(life.observations, before));
  }

  @Test
  @Checks("SequencedCommit!ObservedIsDurableInv")
  void noticesAReadOfWhatIsNotInTheLog() {
    Invariants.observedIsDurableInv(life.observations, Recoverable.of(log));
    assertViolates(
        "ObservedIsDurableInv",
        () -> Invariants.observedIsDurableInv(life.observations, Recoverable.of(withoutLast())));
  }

  @Test
  @Checks("AsyncCommit!CompletedIsVisibleInv")
  void noticesAStageCompletedForWhatReadersCannotSeeYet() {
    Invariants.completedIsVisibleInv(life.observations, life.visible());
    assertViolates(
        "CompletedIsVisibleInv", () -> Invariants.completedIsVisibleInv(life.observations, before));
  }

  @Test
  @Checks("BufferedCommit!SyncedIsDurableInv")
  void noticesASyncOfWhatIsNotInTheLog() {
    life.commit.sync();
    Invariants.syncedIsDurableInv(life.observations, Recoverable.of(log));
    assertViolates(
        "SyncedIsDurableInv",
        () -> Invariants.syncedIsDurableInv(life.observations, Recoverable.of(withoutLast())));
  }

  @Test
  @Checks("SequencedCommit!CommitOrderIsLogOrderInv")
  void noticesChangesInAnotherOrderThanCommitted() {
    Invariants.commitOrderIsLogOrderInv(life.observations, Recoverable.of(log));
    List<LogRecord> swapped = new ArrayList<>(withoutLast());
    swapped.add(swapped.size() - 1, log.get(log.size() - 1));
    assertViolates(
        "CommitOrderIsLogOrderInv",
        () -> Invariants.commitOrderIsLogOrderInv(life.observations, Recoverable.of(swapped)));
  }

  @Test
  @Checks("SequencedCommit!RecoveredIsPrefixInv")
  void noticesContentThatTheCommitsDoNotLeadTo() throws IOException {
    life.recover();
    Invariants.recoveredIsPrefixInv(life.observations, life.visible());
    Life other = new Life();
    for (int i = 0; i < log.size(); i++) {
      other.put("key " + i, "value");
    }
    assertThat(other.visible().lsn()).isEqualTo(life.visible().lsn());
    assertViolates(
        "RecoveredIsPrefixInv",
        () -> Invariants.recoveredIsPrefixInv(life.observations, other.visible()));
    other.put("one more", "than were committed here");
    assertViolates(
        "RecoveredIsPrefixInv",
        () -> Invariants.recoveredIsPrefixInv(life.observations, other.visible()));
  }

  @Test
  @Checks("SequencedCommit!NoLostWriteInv")
  void noticesAnAcknowledgedChangeThatIsNotInTheLog() {
    Invariants.noLostWriteInv(life.observations, Recoverable.of(log));
    assertViolates(
        "NoLostWriteInv",
        () -> Invariants.noLostWriteInv(life.observations, Recoverable.of(withoutLast())));
  }

  @Test
  @Checks("SequencedCommit!NoInventedWriteInv")
  void noticesAChangeThatNobodyAskedFor() {
    Invariants.noInventedWriteInv(life.observations, Recoverable.of(log));
    assertViolates(
        "NoInventedWriteInv",
        () ->
            Invariants.noInventedWriteInv(
                life.observations, Recoverable.of(withLast("last key", "value of nobody"))));
  }

  @Test
  @Checks("SequencedCommit!BatchAtomicInv")
  void noticesABatchOfWhichReadersSeeAPart() throws IOException {
    LogRecord.Write first = new LogRecord.Put("first".getBytes(UTF_8), "1".getBytes(UTF_8));
    LogRecord.Write second = new LogRecord.Put("second".getBytes(UTF_8), "2".getBytes(UTF_8));
    LogRecord.Write range = new LogRecord.RemoveRange("key".getBytes(UTF_8), null);
    Life whole = new Life();
    Life part = new Life();
    Life otherPart = new Life();
    for (Life each : List.of(whole, part, otherPart)) {
      each.put("key 1", "1");
    }
    whole.commit.write(Operation.batch(new LogRecord.Batch(List.of(range, first, second))));
    part.commit.write(Operation.batch(new LogRecord.Batch(List.of(range, first))));
    otherPart.commit.write(Operation.batch(new LogRecord.Batch(List.of(first, second))));
    whole.check();
    assertViolates(
        "BatchAtomicInv",
        () -> Invariants.batchAtomicInv(whole.observations, part.commit.visible()));
    assertViolates(
        "BatchAtomicInv",
        () -> Invariants.batchAtomicInv(whole.observations, otherPart.commit.visible()));
    whole.put("second", "3"); // a later change may take a part's place
    whole.check();
  }

  @Test
  @Checks("SequencedCommit!FailedAcknowledgesNothingInv")
  void noticesAnAnswerAndAChangeOfTheVisibleVersionAfterAFailure() {
    life.lose("lost key", "lost value");
    Invariants.failedAcknowledgesNothingInv(life.observations, life.visible());
    assertViolates(
        "FailedAcknowledgesNothingInv",
        () -> Invariants.failedAcknowledgesNothingInv(life.observations, before));
    life.observations.answer(null); // the lost change, after all
    assertViolates(
        "FailedAcknowledgesNothingInv",
        () -> Invariants.failedAcknowledgesNothingInv(life.observations, life.visible()));
  }

  @Test
  @Checks("SequencedCommit!StaleTailNeverReplaysInv")
  void noticesAChangeOfAnEarlierLifeInTheLog() throws IOException {
    life.lose("lost key", "lost value");
    life.recover();
    life.put("new key", "new value");
    Invariants.staleTailNeverReplaysInv(life.observations, Recoverable.of(life.log()));
    log = life.log();
    assertViolates(
        "StaleTailNeverReplaysInv",
        () ->
            Invariants.staleTailNeverReplaysInv(
                life.observations, Recoverable.of(withLast("lost key", "lost value"))));
  }

  private List<LogRecord> withoutLast() {
    return log.subList(0, log.size() - 1);
  }

  private List<LogRecord> withLast(String key, String value) {
    List<LogRecord> changed = new ArrayList<>(withoutLast());
    changed.add(new LogRecord.Put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
    return changed;
  }

  private static void assertViolates(String invariant, ThrowingCallable check) {
    assertThatThrownBy(check).isInstanceOf(AssertionError.class).hasMessageStartingWith(invariant);
  }
}
