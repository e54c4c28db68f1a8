package org.overlaytrie.conformance.collections;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map.Entry;
import java.util.SortedMap;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * Guava's tests of the collections contracts: the store as a {@code ConcurrentNavigableMap}, its
 * key sets, entry sets and values, sub maps, descending maps, and theirs in turn.
 */
class CollectionsContractTest {
  private static final Options SMALL = Options.defaults().withWalSegmentBytes(4_096);

  /** Far fewer would mean that suites are missing. */
  private static final int LEAST_TESTS = 25_000;

  private static final int SHOWN_FAILURES = 20;

  /** How the store that a test gets came to hold its entries. */
  enum Life {
    /** They were put into it. */
    LIVE {
      @Override
      OverlayTrie<String, String> store(List<Entry<String, String>> entries) throws IOException {
        return filled(new SimulatedStorage(), entries);
      }
    },
    /** They were put into it, it was closed, and recovery read them from the log. */
    REOPENED {
      @Override
      OverlayTrie<String, String> store(List<Entry<String, String>> entries) throws IOException {
        SimulatedStorage disk = new SimulatedStorage();
        filled(disk, entries).close();
        return open(disk.kill());
      }
    };

    abstract OverlayTrie<String, String> store(List<Entry<String, String>> entries)
        throws IOException;

    private static OverlayTrie<String, String> filled(
        SimulatedStorage disk, List<Entry<String, String>> entries) throws IOException {
      OverlayTrie<String, String> store = open(disk);
      entries.forEach(entry -> store.put(entry.getKey(), entry.getValue()));
      return store;
    }

    private static OverlayTrie<String, String> open(SimulatedStorage disk) throws IOException {
      return StoreSeam.open(disk, Codecs.string(), Codecs.string(), SMALL, ProtocolEvents.NONE);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the store and all its views keep the contracts of the collections")
  void keepsTheContractsOfTheCollections(Life life, TestReporter reporter) {
    TestResult result = new TestResult();
    suite(life).run(result);

    List<TestFailure> failures = new ArrayList<>(Collections.list(result.failures()));
    failures.addAll(Collections.list(result.errors()));
    reporter.publishEntry(life + ", tests of collections", Integer.toString(result.runCount()));
    assertThat(failures.stream().limit(SHOWN_FAILURES).map(CollectionsContractTest::describe))
        .as("%d of %d tests failed", failures.size(), result.runCount())
        .isEmpty();
    assertThat(result.runCount()).isGreaterThan(LEAST_TESTS);
  }

  private static String describe(TestFailure failure) {
    return failure.failedTest() + ": " + failure.trace();
  }

  private static TestSuite suite(Life life) {
    return ConcurrentNavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Entry<String, String>[] entries) {
                try {
                  return life.store(List.of(entries));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            })
        .named("OverlayTrie, " + life)
        .withFeatures(
            MapFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionSize.ANY)
        .suppressing(suppressed())
        .createTestSuite();
  }

  private static List<Method> suppressed() {
    return List.of();
  }
}
