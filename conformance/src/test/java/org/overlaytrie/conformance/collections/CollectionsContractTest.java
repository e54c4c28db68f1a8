package org.overlaytrie.conformance.collections;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.features.SetFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Snapshot;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * Guava's tests of the collections contracts: the store as a {@code ConcurrentNavigableMap}, its
 * key sets, entry sets and values, sub maps, descending maps, and theirs in turn; its keys as a
 * {@code NavigableSet} that grows; and a snapshot as a map that cannot be written to.
 */
class CollectionsContractTest {
  private static final Options SMALL = Options.defaults().withWalSegmentBytes(4_096);

  /** Far fewer would mean that suites are missing. */
  private static final int LEAST_TESTS = 25_000;

  private static final int LEAST_TESTS_OF_READS = 20_000;

  private static final int LEAST_TESTS_OF_SETS = 2_000;

  private static final int SHOWN_FAILURES = 20;

  /** Gives a test the map that it asks for. */
  private interface Maker {
    SortedMap<String, String> create(List<Entry<String, String>> entries) throws IOException;
  }

  /** How the store that a test gets came to hold its entries. */
  private enum Life implements Maker {
    /** They were put into it. */
    LIVE {
      @Override
      public OverlayTrie<String, String> create(List<Entry<String, String>> entries)
          throws IOException {
        return filled(new SimulatedStorage(), entries);
      }
    },
    /** They were put into it, it was closed, and recovery read them from the log. */
    REOPENED {
      @Override
      public OverlayTrie<String, String> create(List<Entry<String, String>> entries)
          throws IOException {
        SimulatedStorage disk = new SimulatedStorage();
        filled(disk, entries).close();
        return open(disk.kill());
      }
    },
    /** Half of them are in the image, the others in the log behind it. */
    CHECKPOINTED {
      @Override
      public OverlayTrie<String, String> create(List<Entry<String, String>> entries)
          throws IOException {
        SimulatedStorage disk = new SimulatedStorage();
        int half = (entries.size() + 1) / 2;
        OverlayTrie<String, String> store = filled(disk, entries.subList(0, half));
        store.checkpoint();
        entries
            .subList(half, entries.size())
            .forEach(entry -> store.put(entry.getKey(), entry.getValue()));
        store.close();
        return open(disk.kill());
      }
    };

    @Override
    public abstract OverlayTrie<String, String> create(List<Entry<String, String>> entries)
        throws IOException;

    static OverlayTrie<String, String> filled(
        SimulatedStorage disk, List<Entry<String, String>> entries) throws IOException {
      OverlayTrie<String, String> store = open(disk);
      entries.forEach(entry -> store.put(entry.getKey(), entry.getValue()));
      return store;
    }

    static OverlayTrie<String, String> open(SimulatedStorage disk) throws IOException {
      return StoreSeam.open(disk, Codecs.string(), Codecs.string(), SMALL, ProtocolEvents.NONE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theStoreAndItsViewsKeepTheContractsOfTheCollections(Life life, TestReporter reporter) {
    Feature<?>[] writable = {
      MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionSize.ANY
    };
    assertPasses(run(life, writable), LEAST_TESTS, "the store, " + life, reporter);
  }

  @ParameterizedTest
  @EnumSource
  void theKeysWithAValueForNewOnesKeepTheContractsOfNavigableSets(
      Life life, TestReporter reporter) {
    TestResult result = new TestResult();
    NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected NavigableSet<String> create(String[] elements) {
                try {
                  return life.create(entries(elements)).navigableKeySet("present");
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            })
        .named("set")
        .withFeatures(
            SetFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionFeature.KNOWN_ORDER,
            CollectionSize.ANY)
        .createTestSuite()
        .run(result);
    assertPasses(result, LEAST_TESTS_OF_SETS, "the store as a set, " + life, reporter);
  }

  private static List<Entry<String, String>> entries(String[] keys) {
    return Arrays.stream(keys).map(key -> Map.entry(key, "present")).toList();
  }

  @Test
  void aSnapshotOfAStoreThatHasChangedSinceKeepsThoseOfMapsThatCannotBeWrittenTo(
      TestReporter reporter) {
    TestResult result = run(CollectionsContractTest::snapshot, CollectionSize.ANY);
    assertPasses(result, LEAST_TESTS_OF_READS, "a snapshot", reporter);
  }

  private static Snapshot<String, String> snapshot(List<Entry<String, String>> entries)
      throws IOException {
    OverlayTrie<String, String> store = Life.filled(new SimulatedStorage(), entries);
    Snapshot<String, String> snapshot = store.snapshot();
    store.clear();
    store.put("later", "entry");
    return snapshot;
  }

  private static void assertPasses(
      TestResult result, int leastTests, String subject, TestReporter reporter) {
    String count = String.format(Locale.ROOT, "%,d", result.runCount());
    reporter.publishEntry("tests of collections, " + subject, count);
    System.out.println(count + " tests of collections on " + subject);
    assertThat(failures(result).stream().limit(SHOWN_FAILURES).map(TestFailure::trace))
        .as("%d of %s tests failed", failures(result).size(), count)
        .isEmpty();
    assertThat(result.runCount()).isGreaterThan(leastTests);
  }

  /** The tests must notice a map that skips the key itself where it is present. */
  @Test
  void aMapThatMistakesFloorForLowerIsNoticed() {
    TestResult result =
        run(
            Broken::new,
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionSize.SEVERAL);
    assertThat(failures(result))
        .anyMatch(failure -> failure.failedTest().toString().contains("Floor"));
  }

  private static final class Broken extends ConcurrentSkipListMap<String, String> {
    private static final long serialVersionUID = 1L;

    Broken(List<Entry<String, String>> entries) {
      entries.forEach(entry -> put(entry.getKey(), entry.getValue()));
    }

    @Override
    public Entry<String, String> floorEntry(String key) {
      return lowerEntry(key);
    }
  }

  private static TestResult run(Maker maker, Feature<?>... features) {
    TestResult result = new TestResult();
    ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Entry<String, String>[] entries) {
                try {
                  return maker.create(List.of(entries));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            })
        .named("map")
        .withFeatures(CollectionFeature.KNOWN_ORDER)
        .withFeatures(features)
        .createTestSuite()
        .run(result);
    return result;
  }

  private static List<TestFailure> failures(TestResult result) {
    List<TestFailure> failures = new ArrayList<>(Collections.list(result.failures()));
    failures.addAll(Collections.list(result.errors()));
    return failures;
  }
}
