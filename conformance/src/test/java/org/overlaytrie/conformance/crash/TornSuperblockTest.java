package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.conformance.crash.SimulatedStorage.Script;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * A process ends while it opens the store, and leaves a slot of the superblock in the page cache
 * alone. A second one opens the store as far as it comes before the power fails, and that tears
 * whatever can be torn. One slot must be whole all the same.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({"SequencedCommit!RecoveredIsPrefixInv", "SequencedCommit!NoLostWriteInv"})
class TornSuperblockTest {
  /** The sectors of a slot. A claim is in the first of them, its checksum in the last. */
  private static final int SECTORS = 8;

  @Test
  void aPowerFailureAfterAKillTearsOneSlotAtMost(TestReporter reporter) throws IOException {
    failTwice(reporter, TornSuperblockTest::crashAt);
  }

  @Test
  void aPowerFailureAfterAFailedForceTearsOneSlotAtMost(TestReporter reporter) throws IOException {
    failTwice(
        reporter,
        at ->
            operation ->
                operation.index() == at && operation.kind() == Kind.FORCE
                    ? Fault.DROPPED_PAGES
                    : null);
  }

  private static Script crashAt(long at) {
    return operation -> operation.index() < at ? null : Fault.CRASH;
  }

  private static void failTwice(TestReporter reporter, LongFunction<Script> firstFailure)
      throws IOException {
    SimulatedStorage closed = Programs.closedStore();
    long operations = operationsOfOpening(closed);
    int crashes = 0;
    for (long first = 0; first <= operations; first++) {
      SimulatedStorage left = opened(closed.kill(firstFailure.apply(first))).kill();
      long again = operationsOfOpening(left);
      for (long second = 0; second <= again; second++) {
        SimulatedStorage torn = opened(left.kill(crashAt(second)));
        for (int kept = 0; kept < SECTORS; kept++) {
          int from = kept;
          requireContent(torn.crash(index -> (index + from) % SECTORS < SECTORS / 2));
          crashes++;
        }
      }
    }
    reporter.publishEntry(Map.of("exhaustivePoints", Integer.toString(crashes)));
    assertThat(crashes).isGreaterThan(1000);
  }

  private static long operationsOfOpening(SimulatedStorage disk) {
    return opened(disk.kill()).operations();
  }

  /** The disk once it was opened, as far as that went. */
  private static SimulatedStorage opened(SimulatedStorage disk) {
    try {
      open(disk);
    } catch (IOException | SimulatedCrash e) {
      // what it left is looked at next
    }
    return disk;
  }

  private static void requireContent(SimulatedStorage disk) throws IOException {
    assertThat(ObservedStore.contentOf(open(disk))).isEqualTo(Programs.INITIAL);
  }

  private static OverlayTrie<String, String> open(SimulatedStorage disk) throws IOException {
    return StoreSeam.open(
        disk, Codecs.string(), Codecs.string(), Programs.TINY, ProtocolEvents.NONE);
  }
}
