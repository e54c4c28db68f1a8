package org.overlaytrie.conformance.crash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * What recovery makes of a disk, found out by recovering it, by crashing it again at every
 * operation of recovery, and by going on afterwards. Disks that were seen before are remembered.
 *
 * <p>Safe for use by any number of threads.
 */
final class Recoveries {

  /** Where recovery found the log to end, and the content that it gave. */
  record Recovered(long lsn, Map<String, String> content) {}

  private final Options options;
  private final Map<String, Set<Recovered>> known = new ConcurrentHashMap<>();
  private final Map<String, Outcomes> knownPoints = new ConcurrentHashMap<>();
  private final LongAdder secondCrashes = new LongAdder();
  private final AtomicInteger mostSegments = new AtomicInteger();

  Recoveries(Options options) {
    this.options = options;
  }

  /** In how many ways a crash at one point was tried, and all that was found after any of them. */
  record Outcomes(int crashes, Set<Recovered> found) {}

  /** What may be found after a crash that strikes the disk as it is. */
  Outcomes afterCrashOf(SimulatedStorage disk) {
    String fingerprint = disk.fingerprint();
    Outcomes outcomes = knownPoints.get(fingerprint);
    if (outcomes == null) {
      List<SimulatedStorage> crashes = crashes(disk, Subsets.of(disk.uncertain()));
      Set<Recovered> found = new LinkedHashSet<>();
      crashes.forEach(crash -> found.addAll(of(crash)));
      outcomes = new Outcomes(crashes.size(), found);
      knownPoints.put(fingerprint, outcomes);
    }
    return outcomes;
  }

  /** The number of different disks that were recovered. */
  int disks() {
    return known.size();
  }

  /** The largest number of log segments on any of those disks. */
  int mostSegments() {
    return mostSegments.get();
  }

  /** The number of crashes during or after those recoveries. */
  long secondCrashes() {
    return secondCrashes.sum();
  }

  /**
   * Everything that may be found on the disk: first by a recovery that is let finish, then by those
   * that follow a crash during that one.
   */
  Set<Recovered> of(SimulatedStorage disk) {
    String fingerprint = disk.fingerprint();
    Set<Recovered> found = known.get(fingerprint);
    if (found == null) {
      found = explore(disk);
      known.put(fingerprint, found);
    }
    return found;
  }

  private Set<Recovered> explore(SimulatedStorage disk) {
    Set<Recovered> all = new LinkedHashSet<>();
    List<SimulatedStorage> during = new ArrayList<>();
    SimulatedStorage[] storage = new SimulatedStorage[1];
    storage[0] =
        disk.kill(
            operation -> {
              if (operation.kind().changesDisk()) {
                during.add(storage[0].kill());
              }
              return null;
            });
    mostSegments.accumulateAndGet(disk.names().size() - 1, Math::max);
    Opened opened = open(storage[0]);
    all.add(opened.recovered());
    List<SimulatedStorage> crashesDuring = List.copyOf(during);
    SimulatedStorage recovered = storage[0].kill();
    for (SimulatedStorage point : crashesDuring) {
      for (SimulatedStorage again : crashes(point, Subsets.fewerOf(point.uncertain()))) {
        all.add(reopen(again));
      }
    }
    for (SimulatedStorage again : crashes(recovered, Subsets.fewerOf(recovered.uncertain()))) {
      requireSame(opened.recovered(), reopen(again), "crashed after recovery");
    }
    goOn(opened, storage[0]);
    return all;
  }

  /** The disk after kill -9 and after power failures that leave the subsets. */
  private static List<SimulatedStorage> crashes(SimulatedStorage disk, List<IntPredicate> subsets) {
    List<SimulatedStorage> crashes = new ArrayList<>();
    crashes.add(disk.kill());
    for (IntPredicate survives : subsets) {
      crashes.add(disk.crash(survives));
    }
    return crashes;
  }

  /** An open store and what recovery found for it. */
  private record Opened(OverlayTrie<String, String> store, Recovered recovered) {}

  private Opened open(SimulatedStorage storage) {
    long[] lsn = {-1};
    ProtocolEvents events =
        new ProtocolEvents() {
          @Override
          public void finishRecovery(long lastLsn) {
            lsn[0] = lastLsn;
          }
        };
    try {
      OverlayTrie<String, String> store =
          StoreSeam.open(storage, Codecs.string(), Codecs.string(), options, events);
      return new Opened(store, new Recovered(lsn[0], ObservedStore.contentOf(store)));
    } catch (IOException e) {
      throw new AssertionError("recovery failed on a disk without faults", e);
    }
  }

  private Recovered reopen(SimulatedStorage disk) {
    secondCrashes.increment();
    return open(disk).recovered();
  }

  /** The store must take writes, be killed, close in order, and still hold everything. */
  private void goOn(Opened opened, SimulatedStorage storage) {
    Map<String, String> expected = new TreeMap<>(opened.recovered().content());
    OverlayTrie<String, String> store = opened.store();
    String old = expected.put("later", "1");
    requireSame(old, store.put("later", "1"), "put");
    requireSame("1", store.get("later"), "get");
    long lsn = opened.recovered().lsn() + 1;
    Opened killed = open(storage.kill());
    requireSame(new Recovered(lsn, expected), killed.recovered(), "killed later");
    SimulatedStorage failed = storage.crash(index -> false);
    Opened again = open(failed);
    requireSame(new Recovered(lsn, expected), again.recovered(), "power failed later");
    requireSame("1", again.store().remove("later"), "remove");
    expected.remove("later");
    again.store().close();
    Opened closed = open(failed.crash(index -> false));
    requireSame(new Recovered(lsn + 1, expected), closed.recovered(), "closed later");
  }

  private static void requireSame(Object expected, Object found, String when) {
    if (expected == null ? found != null : !expected.equals(found)) {
      throw new AssertionError(when + ": expected " + expected + ", found " + found);
    }
  }
}
