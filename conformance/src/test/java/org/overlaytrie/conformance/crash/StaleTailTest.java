package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * A crash loses a frame and keeps a later one of the same flush. The next incarnation writes over
 * the lost frame, with every length, so that one of its frames ends exactly where the kept one
 * begins; the kept one must stay dead.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks("SequencedCommit!StaleTailNeverReplaysInv")
class StaleTailTest {
  /** Two records of this length do not fit into one frame. */
  private static final int VALUE_LENGTH = 300;

  @Test
  void aFrameKeptBehindALostOneIsNeverReplayedWhateverIsWrittenBeforeIt(TestReporter reporter)
      throws IOException {
    Map<String, SimulatedStorage> disks = disksAfterCrashes();
    assertThat(disks).as("different disks").hasSizeGreaterThan(50);
    int overwrites = 0;
    for (SimulatedStorage disk : disks.values()) {
      for (int length = 0; length <= VALUE_LENGTH; length += 8) {
        overwrite(disk.kill(), length);
        overwrites++;
      }
    }
    reporter.publishEntry("overwrites", Integer.toString(overwrites));
  }

  /** Crashes three concurrent writes at every operation. */
  private static Map<String, SimulatedStorage> disksAfterCrashes() throws IOException {
    List<List<Request>> program = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      program.add(List.of(Request.put(key, key + "-".repeat(VALUE_LENGTH))));
    }
    Map<String, SimulatedStorage> disks = new LinkedHashMap<>();
    SimulatedStorage base = Programs.closedStore();
    Exploration schedules = new Exploration(2);
    do {
      Execution execution =
          new Execution(
              base,
              Execution.Past.of(Programs.INITIAL, 1),
              Programs.TINY,
              operation -> null,
              new Turns(schedules),
              Programs.KEYS,
              1);
      execution.open();
      execution.run(program);
      for (CrashPoint point : execution.points()) {
        for (IntPredicate survives : Subsets.of(point.disk().uncertain())) {
          SimulatedStorage crashed = point.disk().crash(survives);
          disks.put(crashed.fingerprint(), crashed);
        }
      }
    } while (schedules.next());
    return disks;
  }

  private static void overwrite(SimulatedStorage disk, int length) throws IOException {
    OverlayTrie<String, String> store = open(disk);
    Map<String, String> expected = new TreeMap<>(ObservedStore.contentOf(store));
    String value = "n".repeat(length);
    store.put("a", value);
    expected.put("a", value);
    assertThat(ObservedStore.contentOf(open(disk.kill())))
        .as("after writing a value of %d characters", length)
        .isEqualTo(expected);
  }

  private static OverlayTrie<String, String> open(SimulatedStorage disk) throws IOException {
    return StoreSeam.open(
        disk, Codecs.string(), Codecs.string(), Programs.TINY, ProtocolEvents.NONE);
  }
}
