package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.CheckpointPolicy;
import org.overlaytrie.Options;
import org.overlaytrie.conformance.crash.Recoveries.Recovered;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.OperationKind;

/**
 * Long lives of stores with two to eight clients: opened, written to, crashed or failed at a random
 * operation, found with a random subset of what was not forced, and opened again, recovery being
 * crashed like anything else.
 *
 * <p>{@code -Doverlaytrie.seed=N} runs life N alone; under controlled turns it repeats itself.
 * {@code -Doverlaytrie.lives} says how many there are.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!VisibleIsDurableInv",
  "SequencedCommit!AnsweredIsVisibleInv",
  "SequencedCommit!ObservedIsDurableInv",
  "SequencedCommit!CommitOrderIsLogOrderInv",
  "SequencedCommit!RecoveredIsPrefixInv",
  "SequencedCommit!NoLostWriteInv",
  "SequencedCommit!NoInventedWriteInv",
  "SequencedCommit!FailedAcknowledgesNothingInv",
  "SequencedCommit!StaleTailNeverReplaysInv",
  "SequencedCommit!BatchAtomicInv",
  "SequencedCommit!RefinesDurableMapProp"
})
class RandomCrashTest {
  private static final int LIVES = Integer.getInteger("overlaytrie.lives", 2_000);

  private final LongAdder lives = new LongAdder();
  private final LongAdder crashes = new LongAdder();
  private final LongAdder crashesInRecovery = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder answers = new LongAdder();

  @Test
  void livesUnderControlledTurns(TestReporter reporter) {
    liveAll(reporter, LIVES, true);
  }

  @Test
  void livesWithThreadsThatRunFreely(TestReporter reporter) {
    liveAll(reporter, LIVES / 2, false);
  }

  @Test
  void aSeedRepeatsItsLife() throws IOException {
    for (long seed = 0; seed < 5; seed++) {
      List<History.Event> first = new Life(seed, true).live();
      List<History.Event> second = new Life(seed, true).live();
      assertThat(second).hasToString(first.toString());
    }
  }

  private void liveAll(TestReporter reporter, int count, boolean controlled) {
    Long only = Long.getLong("overlaytrie.seed");
    LongStream seeds = only == null ? LongStream.range(0, count).parallel() : LongStream.of(only);
    seeds.forEach(
        seed -> {
          try {
            List<History.Event> events = new Life(seed, controlled).live();
            answers.add(events.stream().filter(History.Answered.class::isInstance).count());
          } catch (Throwable e) {
            throw new AssertionError(
                "life %d failed; -Doverlaytrie.seed=%d runs it alone: %s"
                    .formatted(seed, seed, e.getMessage()),
                e);
          }
          lives.increment();
        });
    reporter.publishEntry(
        Map.of(
            "randomRuns", lives.toString(),
            "answers", answers.toString(),
            "crashes", crashes.toString(),
            "crashesInRecovery", crashesInRecovery.toString(),
            "faults", faults.toString()));
    if (only == null) {
      assertThat(crashes.sum()).isGreaterThan(count);
      assertThat(crashesInRecovery.sum()).isGreaterThan(count / 10);
      assertThat(faults.sum()).isGreaterThan(count / 20);
    }
  }

  /** Takes the turn away now and then. */
  private static Turns.Chooser randomTurns(Random random) {
    double restless = random.nextDouble() / 2;
    return (options, preempts) ->
        preempts && random.nextDouble() > restless ? 0 : random.nextInt(options.size());
  }

  /** At one operation, a fault strikes once; without a fault, the machine stops there. */
  private final class Trouble implements Function<Operation, Fault> {
    private final long at;
    private final Fault fault;

    Trouble(long at, Fault fault) {
      this.at = at;
      this.fault = fault;
    }

    @Override
    public Fault apply(Operation operation) {
      if (fault == null) {
        return operation.index() < at ? null : Fault.CRASH;
      }
      if (operation.index() != at) {
        return null;
      }
      faults.increment();
      return fault;
    }
  }

  /** One store from its creation on. */
  private final class Life {
    private final Random random;
    private final boolean controlled;
    private final int keys;
    private final boolean faulty;
    private final Options options;
    private final Execution.Past past = Execution.Past.of(Map.of(), 0);
    private CrashPoint last = new CrashPoint(new SimulatedStorage(), 0, 0);
    private int values;

    Life(long seed, boolean controlled) {
      this.random = new Random(seed);
      this.controlled = controlled;
      this.keys = 1 + random.nextInt(6);
      this.faulty = random.nextInt(3) == 0;
      CheckpointPolicy policy = CheckpointPolicy.manual().withLogLimitBytes(1 << 16);
      this.options =
          Options.defaults()
              .withWalSegmentBytes(4096 << random.nextInt(3))
              .withImageSegmentBytes(1 << 16)
              .withCheckpoints(
                  controlled
                      ? CheckpointPolicy.manual()
                      : policy.withChanges(1L + random.nextInt(40)));
    }

    List<History.Event> live() throws IOException {
      int eras = 2 + random.nextInt(4);
      for (int era = 0; era < eras; era++) {
        era();
      }
      openAndCheck(execution(operation -> null));
      return past.history().events();
    }

    private void era() {
      List<List<Request>> program = new ArrayList<>();
      int clients = 2 + random.nextInt(7);
      int length = 1 + random.nextInt(12);
      boolean closesEarly = random.nextInt(8) == 0;
      for (int client = 0; client < clients; client++) {
        // under controlled turns nobody may wait for another's checkpoint, as who closes does
        program.add(requests(length, !controlled || (client == 0 && !closesEarly)));
      }
      Trouble trouble =
          new Trouble(
              random.nextInt(5) == 0 ? Long.MAX_VALUE : random.nextInt(30 + 2 * length),
              faulty && random.nextBoolean() ? randomFault() : null);
      boolean closes = random.nextBoolean();
      Execution execution = execution(trouble);
      try {
        openAndCheck(execution);
        if (closesEarly) {
          execution.runAndClose(program);
        } else {
          execution.run(program);
        }
        execution.checkInvariants();
        if (closes) {
          execution.close();
        }
      } catch (IOException | UncheckedIOException e) {
        if (trouble.fault == null) {
          throw new AssertionError("an operation failed without a fault", e);
        }
      } catch (SimulatedCrash e) {
        crashesInRecovery.add(execution.opened() ? 0 : 1);
      }
      endEra(execution);
    }

    private void endEra(Execution execution) {
      CrashPoint point = execution.pointNow();
      SimulatedStorage disk = point.disk();
      boolean killed = random.nextInt(3) == 0;
      crashes.increment();
      SimulatedStorage found = killed ? disk : disk.crash(Subsets.random(disk.uncertain(), random));
      last = new CrashPoint(found, point.historyLength(), point.requiredLsn());
    }

    private Execution execution(Function<Operation, Fault> faultsOf) {
      Turns turns = controlled ? new Turns(randomTurns(random)) : null;
      return new Execution(last.disk(), past, options, faultsOf, turns, null, last.requiredLsn());
    }

    private void openAndCheck(Execution execution) throws IOException {
      execution.open();
      Recovered recovered = execution.recovered();
      last.check(recovered, past);
      past.history().reopen(recovered.content());
      past.order().recoverTo(recovered.lsn());
      execution.checkInvariants();
    }

    private List<Request> requests(int count, boolean checkpoints) {
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String key = "k" + random.nextInt(keys);
        String value =
            "v" + values++ + "-".repeat(8 * random.nextInt(random.nextInt(8) == 0 ? 90 : 4));
        OperationKind[] kinds = OperationKind.values();
        int kind = random.nextInt(kinds.length + 4);
        if (checkpoints && random.nextInt(controlled ? 4 : 12) == 0) {
          requests.add(Request.checkpoint());
        } else if (kind >= kinds.length + 2) {
          requests.add(Request.get(key));
        } else if (kind >= kinds.length) {
          requests.add(Request.put(key, value));
        } else if (kinds[kind] == OperationKind.BATCH) {
          requests.add(
              random.nextInt(3) == 0
                  ? Request.removeFrom(key)
                  : Request.batch(key, "k" + random.nextInt(keys), value));
        } else {
          requests.add(new Request(kinds[kind], key, "v" + random.nextInt(values), value));
        }
      }
      return requests;
    }

    private Fault randomFault() {
      int part = random.nextBoolean() ? random.nextInt(600) : 0;
      return switch (random.nextInt(4)) {
        case 0 -> Fault.DROPPED_PAGES;
        case 1 -> Fault.noSpace(part);
        default -> Fault.inputOutputError(part);
      };
    }
  }
}
