package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.spec.Checks;

/**
 * Every operation fails in every way in turn, once or from then on; then the store must refuse
 * writes, and the disk must recover as after any crash.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!FailedAcknowledgesNothingInv",
  "SequencedCommit!VisibleIsDurableInv",
  "SequencedCommit!NoLostWriteInv",
  "SequencedCommit!NoInventedWriteInv"
})
class FaultTest {
  private final Recoveries recoveries = new Recoveries(Programs.TINY);
  private final LongAdder faults = new LongAdder();
  private final LongAdder refusedOpens = new LongAdder();
  private final LongAdder failedStores = new LongAdder();

  @Test
  void everyOperationOfSmallProgramsFailsInEveryWay(TestReporter reporter) {
    failEverywhere(reporter, Programs.closedStore(), Programs.INITIAL, Programs.ofSix(6, 2));
  }

  @Test
  void everyOperationFailsWhileSegmentsFill(TestReporter reporter) {
    failEverywhere(reporter, Programs.closedStore(), Programs.INITIAL, Programs.ofSix(3, 1000));
    assertThat(recoveries.mostSegments()).as("segments in use").isGreaterThan(1);
  }

  @Test
  @Checks({
    "WatermarkReclamation!EitherSlotSufficesInv",
    "WatermarkReclamation!RecoveredEqualsVisibleInv"
  })
  void everyOperationFailsWhileCheckpointsAreMade(TestReporter reporter) {
    failEverywhere(
        reporter, Programs.closedStore(), Programs.INITIAL, Programs.withCheckpoints(1500));
  }

  @Test
  void everyOperationFailsWhileAStoreIsCreated(TestReporter reporter) {
    List<List<Request>> program =
        List.of(List.of(Request.put("a", "1")), List.of(Request.put("b", "2")));
    failEverywhere(reporter, new SimulatedStorage(), Map.of(), List.of(program));
  }

  private void failEverywhere(
      TestReporter reporter,
      SimulatedStorage disk,
      Map<String, String> initial,
      List<List<List<Request>>> programs) {
    long crashes =
        programs.parallelStream()
            .mapToLong(program -> failEachOperation(disk, initial, program))
            .sum();
    reporter.publishEntry(
        Map.of(
            "exhaustivePoints", Long.toString(crashes),
            "faults", faults.toString(),
            "refusedOpens", refusedOpens.toString(),
            "failedStores", failedStores.toString()));
    assertThat(refusedOpens.sum()).isPositive();
    assertThat(failedStores.sum()).isPositive();
  }

  private long failEachOperation(
      SimulatedStorage disk, Map<String, String> initial, List<List<Request>> program) {
    List<Operation> operations = new ArrayList<>();
    new Case(disk, initial, program, -1, null, false, operations).check();
    return LongStream.range(0, operations.size())
        .flatMap(
            index ->
                faultsOf(operations.get((int) index)).stream()
                    .mapToLong(
                        fault ->
                            new Case(disk, initial, program, index, fault, false, null).check()
                                + new Case(disk, initial, program, index, fault, true, null)
                                    .check()))
        .sum();
  }

  private static List<Fault> faultsOf(Operation operation) {
    long half = operation.length() / 2;
    return switch (operation.kind()) {
      case LIST, OPEN, SIZE, READ -> List.of(Fault.inputOutputError(0));
      case CREATE ->
          List.of(Fault.inputOutputError(0), Fault.noSpace(0), Fault.noSpace(Math.max(1, half)));
      case DELETE, FORCE_DIRECTORY -> List.of(Fault.inputOutputError(0), Fault.inputOutputError(1));
      case WRITE ->
          List.of(
              Fault.inputOutputError(0),
              Fault.inputOutputError(half),
              Fault.inputOutputError(operation.length()),
              Fault.noSpace(half));
      case FORCE -> List.of(Fault.inputOutputError(0), Fault.DROPPED_PAGES);
    };
  }

  /** One fault in one execution. */
  private final class Case {
    private final List<List<Request>> program;
    private final long failing;
    private final Fault fault;
    private final boolean forever;
    private final List<Operation> operations;
    private final Execution.Past past;
    private final Execution execution;
    private long checkedCrashes;

    Case(
        SimulatedStorage disk,
        Map<String, String> initial,
        List<List<Request>> program,
        long failing,
        Fault fault,
        boolean forever,
        List<Operation> operations) {
      this.program = program;
      this.failing = failing;
      this.fault = fault;
      this.forever = forever;
      this.operations = operations;
      this.past = Execution.Past.of(initial, initial.size());
      this.execution =
          new Execution(
              disk,
              past,
              Programs.TINY,
              this::before,
              new Turns(new Exploration(0)),
              null,
              initial.size());
    }

    private Fault before(Operation operation) {
      if (operations != null) {
        operations.add(operation);
      }
      boolean fails = operation.index() == failing || (forever && operation.index() > failing);
      return failing >= 0 && fails ? fault : null;
    }

    long check() {
      try {
        execute();
        return checkedCrashes;
      } catch (AssertionError e) {
        throw new AssertionError(
            "with %s failing %s at operation %d of %s: %s"
                .formatted(fault, forever ? "for ever" : "once", failing, program, e.getMessage()),
            e);
      }
    }

    private void execute() {
      faults.add(fault == null ? 0 : 1);
      try {
        execution.open();
      } catch (IOException e) {
        requireFault();
        refusedOpens.increment();
        checkCrashesNow();
        return;
      }
      execution.run(program);
      boolean failed = execution.store().failed();
      if (failed) {
        requireFault();
        failedStores.increment();
        execution.checkRefusesWrites();
      }
      checkCrashesNow();
      boolean noticed = failed || execution.store().checkpointFailed();
      try {
        execution.close();
        assertThat(noticed || fault == null).as("an operation failed and nobody noticed").isTrue();
      } catch (UncheckedIOException e) {
        requireFault();
        assertThat(failed).as("a failed store closes quietly").isFalse();
      }
      checkCrashesNow();
    }

    private void checkCrashesNow() {
      checkedCrashes += execution.pointNow().check(past, recoveries);
    }

    private void requireFault() {
      assertThat(fault).as("something failed without a fault").isNotNull();
    }
  }
}
