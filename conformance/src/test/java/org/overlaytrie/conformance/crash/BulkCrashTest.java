package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Snapshot;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.spec.Invariants;
import org.overlaytrie.spec.Observations;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Recoverable;

/**
 * Sorted entries and merges of snapshots, with a crash before every operation on the disk: what is
 * found are whole chunks from the first on, all of those included that the listener was told of,
 * and a merge that is one write is there or not.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!BatchAtomicInv",
  "SequencedCommit!RecoveredIsPrefixInv",
  "SequencedCommit!NoLostWriteInv"
})
class BulkCrashTest {
  private static final Options SMALL = Options.defaults().withWalSegmentBytes(1 << 16);
  private static final int CHUNK = 4_096;
  private static final int ENTRIES = 10_000;

  /** The disk before an operation, and how many changes had been told of by then. */
  private record Point(SimulatedStorage disk, int told) {}

  private final List<Point> points = new ArrayList<>();

  /** What the store holds after each change, by LSN. */
  private final List<NavigableMap<String, String>> contents =
      new ArrayList<>(List.of(new TreeMap<>()));

  private SimulatedStorage storage;
  private int told;

  @Test
  void aCrashLeavesWholeChunksFromTheFirstOn(TestReporter reporter) throws IOException {
    Observations observations = new Observations();
    storage = new SimulatedStorage(this::notePoint);
    OverlayTrie<String, String> store = open(storage, observations);
    Map<String, String> sorted = entries(0, "1");
    expectChunks(sorted, (mine, theirs) -> theirs);
    store.putAllSorted(sorted.entrySet().iterator(), done -> told++);
    try (OverlayTrie<String, String> other = open(new SimulatedStorage(), ProtocolEvents.NONE)) {
      NavigableMap<String, String> half = entries(ENTRIES / 2, "2");
      other.putAll(half);
      try (Snapshot<String, String> snapshot = other.snapshot()) {
        contents.add(merged(contents.get(told), half, BulkCrashTest::keepSome));
        store.mergeFrom(snapshot, BulkCrashTest::keepSome, done -> told++);
      }
      other.replaceAll((key, value) -> "3");
      half.replaceAll((key, value) -> "3");
      try (Snapshot<String, String> snapshot = other.snapshot()) {
        expectChunks(half, (mine, theirs) -> mine + theirs);
        store.mergeFromInChunks(snapshot, (mine, theirs) -> mine + theirs, done -> told++);
      }
    }
    assertThat(told).as("each change was told of").isEqualTo(contents.size() - 1);
    assertThat(store).isEqualTo(contents.get(told));
    checkInvariants(store, observations);
    store.close();
    notePoint(null);

    int crashes = 0;
    boolean[] found = new boolean[contents.size()];
    for (Point point : points) {
      for (IntPredicate survives : Subsets.fewerOf(point.disk().uncertain())) {
        try (OverlayTrie<String, String> recovered =
            open(point.disk().crash(survives), ProtocolEvents.NONE)) {
          int lsn = (int) recovered.snapshot().lsn();
          assertThat(lsn).as("what was told of is there").isGreaterThanOrEqualTo(point.told());
          assertThat(recovered.equals(contents.get(lsn)))
              .as("whole changes up to %d", lsn)
              .isTrue();
          found[lsn] = true;
        }
        crashes++;
      }
    }
    reporter.publishEntry(Map.of("exhaustivePoints", Integer.toString(crashes)));
    assertThat(crashes).isGreaterThan(100);
    assertThat(found).as("every content was found after some crash").doesNotContain(false);
  }

  private Fault notePoint(Operation operation) {
    if (operation == null || operation.kind().changesDisk()) {
      points.add(new Point(storage.kill(), told));
    }
    return null;
  }

  private static OverlayTrie<String, String> open(SimulatedStorage disk, ProtocolEvents events)
      throws IOException {
    return StoreSeam.open(disk, Codecs.string(), Codecs.string(), SMALL, events);
  }

  private static NavigableMap<String, String> entries(int first, String value) {
    NavigableMap<String, String> entries = new TreeMap<>();
    for (int i = first; i < first + ENTRIES; i++) {
      entries.put(String.format("key %06d", i), value.repeat(1 + i % 3));
    }
    return entries;
  }

  /** By the length of the values: a third stays, a third is replaced, a third is removed. */
  private static String keepSome(String mine, String theirs) {
    return theirs.length() == 1 ? mine : theirs.length() == 2 ? theirs : null;
  }

  private static NavigableMap<String, String> merged(
      Map<String, String> before, Map<String, String> added, BinaryOperator<String> onConflict) {
    NavigableMap<String, String> merged = new TreeMap<>(before);
    added.forEach((key, value) -> merged.merge(key, value, onConflict));
    return merged;
  }

  private void expectChunks(Map<String, String> added, BinaryOperator<String> onConflict) {
    NavigableMap<String, String> chunk = new TreeMap<>();
    for (Map.Entry<String, String> entry : added.entrySet()) {
      chunk.put(entry.getKey(), entry.getValue());
      if (chunk.size() == CHUNK) {
        contents.add(merged(contents.get(contents.size() - 1), chunk, onConflict));
        chunk.clear();
      }
    }
    contents.add(merged(contents.get(contents.size() - 1), chunk, onConflict));
  }

  private void checkInvariants(OverlayTrie<String, String> store, Observations observations)
      throws IOException {
    Recoverable found = StoreSeam.recoverable(storage.crash(index -> false));
    Invariants.check(observations, StoreSeam.visible(store), found);
  }
}
