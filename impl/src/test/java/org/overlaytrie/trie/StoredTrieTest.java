package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.trie.TrieAssertions.ascii;
import static org.overlaytrie.trie.TrieAssertions.assertSameContent;
import static org.overlaytrie.trie.TrieAssertions.newModel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.CorruptStoreException;

/** Tries whose nodes were written, and are read again when they are needed. */
class StoredTrieTest {
  private static final byte[] VALUE = {1};
  private static final byte[] OTHER = {2};
  private static final int KEY_BYTES = 65_536;

  private final MemoryNodes image = new MemoryNodes();

  private static byte[] key(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static Trie randomTrie(long seed, int entries) {
    Random random = new Random(seed);
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < entries; i++) {
      trie = trie.put(key(random.nextLong()), VALUE);
    }
    return trie;
  }

  @ParameterizedTest
  @EnumSource
  void hasTheContentAndTheFormThatWasWritten(Keys keys) {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      NavigableMap<byte[], byte[]> model = newModel();
      Trie trie = Trie.EMPTY;
      for (int i = random.nextInt(400); i > 0; i--) {
        byte[] key = keys.next(random);
        byte[] value = new byte[random.nextInt(10) == 0 ? 254 + random.nextInt(4) : i % 3];
        random.nextBytes(value);
        trie = trie.put(key, value);
        model.put(key, value);
      }
      Trie stored = image.stored(trie);
      assertSameContent(stored, model);
      assertThat(TrieChecker.sameStructure(stored, trie)).as("%s, seed %d", keys, seed).isTrue();
    }
  }

  @Test
  void holdsEntriesAtTheLimitsOfEachKindOfLeaf() {
    NavigableMap<byte[], byte[]> model = newModel();
    int[] lengths = {0, 1, 63, 64, 254, 255, 256, 257, 300, 70_000};
    for (int suffix : lengths) {
      for (int value : lengths) {
        byte[] key = Arrays.copyOf(new byte[] {(byte) suffix, (byte) value, 1}, 3 + suffix);
        model.put(key, new byte[value]);
      }
    }
    Trie trie = Trie.EMPTY;
    for (var entry : model.entrySet()) {
      trie = trie.put(entry.getKey(), entry.getValue());
      assertThat(image.stored(trie).get(entry.getKey())).isEqualTo(entry.getValue());
    }
    byte[] large = new byte[1 << 24];
    model.put(new byte[0], large); // a branch's own entry stands in its record
    assertSameContent(image.stored(trie.put(new byte[0], large)), model);
  }

  @Test
  void aSingleEntryOrNoneIsATrieToo() {
    assertThat(image.checkpoint(Trie.EMPTY)).isEqualTo(Root.EMPTY);
    assertThat(Trie.stored(image, Root.EMPTY)).isSameAs(Trie.EMPTY);
    for (int length : new int[] {0, 1, 255, 256, 100_000}) {
      Trie single = Trie.EMPTY.put(new byte[length], new byte[length]);
      Trie stored = image.stored(single);
      assertThat(stored.get(new byte[length])).hasSize(length);
      assertThat(stored.size()).isEqualTo(1);
      Trie two = image.stored(stored.put(ascii("x"), VALUE));
      assertThat(two.get(new byte[length])).hasSize(length);
      assertThat(two.get(ascii("x"))).isEqualTo(VALUE);
    }
  }

  @Test
  void entriesWithoutAnAddressAreNoRoot() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Root(0, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Root(1, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Root(1, 1, -1));
  }

  @Test
  void isWrittenOnceAndThenOnlyTheWayToWhatChanges() throws IOException {
    Trie trie = randomTrie(1, 20_000);
    Root root = image.checkpoint(trie);
    for (Trie same : List.of(trie, Trie.stored(image, root))) {
      TrieWriter nothing = TrieWriter.changes(image, done -> {});
      assertThat(nothing.write(same)).isEqualTo(root);
      assertThat(nothing.writtenNodes()).isZero();
      TrieWriter way = TrieWriter.changes(image, done -> {});
      Root unused = way.write(same.put(key(5), OTHER));
      assertThat(way.writtenNodes()).isBetween(1L, 8L);
    }
    image.takeReads();
    Trie stored = Trie.stored(image, root);
    TrieWriter removal = TrieWriter.changes(image, done -> {});
    Root unused = removal.write(stored.removeRange(key(Long.MIN_VALUE), null));
    assertThat(removal.writtenNodes()).isBetween(1L, 9L);
    assertThat(image.takeReads()).as("half of the entries went").isLessThan(20);
  }

  @Test
  void aLargeValueIsNotWrittenAgainWhenItsNeighbourChanges() throws IOException {
    Trie trie = Trie.EMPTY.put(ascii("a"), new byte[100_000]).put(ascii("b"), VALUE);
    Root before = image.checkpoint(trie);
    TrieWriter writer = TrieWriter.changes(image, done -> {});
    Root after = writer.write(trie.put(ascii("b"), OTHER));
    assertThat(writer.writtenBytes()).isLessThan(100);
    assertThat(after.oldestSegment()).isEqualTo(before.oldestSegment());
    assertThat(Trie.stored(image, after).get(ascii("a"))).hasSize(100_000);
  }

  @Test
  void whatWasWrittenButNotInstalledIsWrittenAgain() throws IOException {
    Trie trie = randomTrie(2, 1_000);
    TrieWriter first = TrieWriter.changes(image, done -> {});
    Root lost = first.write(trie);
    TrieWriter second = TrieWriter.changes(image, done -> {});
    Root root = second.write(trie);
    assertThat(second.writtenNodes()).isEqualTo(first.writtenNodes());
    assertThat(root.oldestSegment()).isGreaterThanOrEqualTo(Addresses.segment(lost.address()));
  }

  @Test
  void knowsTheOldestSegmentThatEachSubtreeReachesInto() {
    Trie trie = randomTrie(3, 300);
    Root root = image.checkpoint(trie);
    Random random = new Random(4);
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 10; i++) {
        trie = trie.put(key(random.nextLong()), VALUE);
      }
      root = image.checkpoint(trie);
      Trie stored = Trie.stored(image, root);
      TrieChecker.checked(stored); // loads all
      assertThat(root.oldestSegment()).isEqualTo(assertOldestSegments(stored.root()));
    }
    assertThat(Addresses.segment(root.address())).isGreaterThan(20);
  }

  /** Of each node of the trie, below it and in it; answers the root's. */
  private static int assertOldestSegments(Node root) {
    List<Node> nodes = TrieChecker.nodes(root); // parents before children
    IdentityHashMap<Node, Integer> oldest = new IdentityHashMap<>();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      Node node = nodes.get(i);
      if (!node.hasRecord()) {
        continue;
      }
      int expected = Addresses.segment(node.address());
      if (node instanceof Branch branch) {
        for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
          expected = Math.min(expected, oldest.getOrDefault(branch.slot(at), expected));
        }
      }
      assertThat(node.oldestSegment()).isEqualTo(expected);
      oldest.put(node, expected);
    }
    return oldest.get(root);
  }

  @Test
  void loadsNothingButTheWayToAKey() {
    Trie trie = randomTrie(5, 50_000);
    byte[] key = firstKey(trie);
    Trie stored = image.stored(trie);
    image.takeReads();
    assertThat(stored.size()).isEqualTo(50_000);
    assertThat(image.takeReads()).isZero();
    assertThat(stored.get(key)).isEqualTo(VALUE);
    assertThat(image.takeReads()).isBetween(1L, 3L);
    assertThat(stored.get(key)).isEqualTo(VALUE);
    assertThat(image.takeReads()).as("it stays").isZero();
  }

  private static byte[] firstKey(Trie trie) {
    TrieCursor cursor = trie.cursor();
    assertThat(cursor.next()).isTrue();
    return cursor.key();
  }

  @Test
  void ranksSelectsAndChangesLoadNoSiblings() {
    Trie trie = randomTrie(6, 50_000);
    Root root = image.checkpoint(trie);
    Random random = new Random(7);
    List<Consumer<Trie>> operations =
        List.of(
            stored -> assertThat(stored.rank(key(random.nextLong()))).isNotNegative(),
            stored -> assertThat(stored.cursor().seekRank(random.nextInt(50_000))).isTrue(),
            stored -> assertThat(stored.put(key(random.nextLong()), VALUE)).isNotNull(),
            stored -> assertThat(stored.remove(key(random.nextLong()))).isNotNull(),
            stored -> assertThat(stored.longestPrefix(key(random.nextLong()))).isNotZero(),
            stored -> assertThat(stored.removeRange(key(random.nextLong()), null)).isNotNull(),
            stored -> assertThat(stored.descent().labelFrom(0)).isNotNegative());
    for (int i = 0; i < 200; i++) {
      Trie stored = Trie.stored(image, root);
      image.takeReads();
      operations.get(i % operations.size()).accept(stored);
      assertThat(image.takeReads()).as("operation %d", i % operations.size()).isLessThan(6);
    }
  }

  @Test
  void aDifferenceLoadsNothingThatBothVersionsShare() {
    Trie trie = randomTrie(8, 50_000);
    Root before = image.checkpoint(trie);
    Root after = image.checkpoint(trie.put(key(3), OTHER));
    for (Trie other : List.of(Trie.stored(image, after), trie.put(key(3), OTHER))) {
      Trie one = Trie.stored(image, before);
      image.takeReads();
      TrieDiff diff = one.diff(other);
      assertThat(diff.next()).isTrue();
      assertThat(diff.key()).isEqualTo(key(3));
      assertThat(diff.next()).isFalse();
      assertThat(image.takeReads()).isLessThan(8);
    }
    Trie one = Trie.stored(image, before);
    Trie same = Trie.stored(image, before);
    image.takeReads();
    assertThat(one.diff(same).next()).isFalse();
    assertThat(image.takeReads()).isZero();
  }

  @Test
  void aMergeLoadsNothingThatBothShareOrOneHasAlone() {
    Trie base = randomTrie(9, 50_000);
    Root left = image.checkpoint(base.put(key(3), OTHER));
    Root right = image.checkpoint(base.put(key(-3), OTHER));
    for (boolean parallel : new boolean[] {false, true}) {
      Trie one = Trie.stored(image, left);
      Trie other = Trie.stored(image, right);
      image.takeReads();
      Trie merged =
          parallel
              ? one.mergeInParallel(other, (mine, theirs) -> mine)
              : one.merge(other, (mine, theirs) -> mine);
      assertThat(merged.size()).isEqualTo(50_002);
      assertThat(image.takeReads()).isLessThan(20);
      assertThat(merged.get(key(3))).isEqualTo(OTHER);
      assertThat(merged.get(key(-3))).isEqualTo(OTHER);
    }
    Trie one = Trie.stored(image, left);
    image.takeReads();
    assertThat(one.merge(Trie.stored(image, left), (mine, theirs) -> mine)).isSameAs(one);
    assertThat(image.takeReads()).as("the root of the other").isEqualTo(1);
  }

  @Test
  void twoStoresMayUseTheSameAddressesForOtherNodes() {
    MemoryNodes otherImage = new MemoryNodes();
    Trie mine = randomTrie(10, 1_000);
    Trie theirs = Trie.EMPTY;
    for (TrieCursor cursor = mine.cursor(); cursor.next(); ) {
      theirs = theirs.put(cursor.key(), OTHER);
    }
    Trie stored = image.stored(mine);
    Trie foreign = otherImage.stored(theirs);
    assertThat(stored.root().address()).isEqualTo(foreign.root().address());
    int differences = 0;
    for (TrieDiff diff = stored.diffAcrossStores(foreign); diff.next(); ) {
      assertThat(diff.before()).isEqualTo(VALUE);
      assertThat(diff.after()).isEqualTo(OTHER);
      differences++;
    }
    assertThat(differences).isEqualTo(1_000);
    Trie merged = stored.merge(foreign.detached(), (my, their) -> their);
    Root root = image.checkpoint(merged);
    assertThat(Trie.stored(image, root).diffAcrossStores(theirs).next()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aDetachedTrieKnowsNothingOfTheImage(Keys keys) {
    Random random = new Random(11);
    NavigableMap<byte[], byte[]> model = newModel();
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 400; i++) {
      byte[] key = keys.next(random);
      byte[] value = new byte[i % 7 == 0 ? 300 : 2];
      trie = image.stored(trie.put(key, value));
      model.put(key, value);
    }
    Trie detached = trie.detached();
    Deque<Node> open = new ArrayDeque<>(List.of(detached.root()));
    while (!open.isEmpty()) {
      Node node = open.pop();
      assertThat(node).isNotInstanceOf(Stub.class);
      assertThat(node.address()).isZero();
      if (node instanceof Branch branch) {
        for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
          open.push(branch.slot(at));
        }
      }
    }
    assertSameContent(detached, model);
    assertSameContent(trie, model);
    assertThat(Trie.EMPTY.detached()).isSameAs(Trie.EMPTY);
  }

  @Test
  void aCopyIsWholeAndKeepsNothingOfWhatItReads() throws IOException {
    Trie trie = randomTrie(12, 5_000);
    Trie stored = image.stored(trie).put(key(7), OTHER);
    MemoryNodes backup = new MemoryNodes();
    TrieWriter writer = TrieWriter.copy(backup, done -> {});
    Root root = writer.write(stored);
    writer.installAddresses(); // of nothing
    image.records.clear();
    Trie copy = Trie.stored(backup, root);
    assertThat(copy.size()).isEqualTo(5_001);
    assertThat(copy.diffAcrossStores(trie.put(key(7), OTHER)).next()).isFalse();
    assertThatThrownBy(() -> stored.rank(key(Long.MIN_VALUE)))
        .as("is not in memory")
        .isInstanceOf(CorruptStoreException.class);
  }

  @Test
  void isAsDeepAsKeysAreLong() throws IOException {
    TrieBuilder builder = new TrieBuilder();
    for (int length = 0; length <= KEY_BYTES; length++) {
      builder.add(new byte[length], VALUE);
    }
    Trie trie = builder.build();
    Trie stored = image.stored(trie);
    assertThat(stored.get(new byte[KEY_BYTES])).isEqualTo(VALUE);
    Trie again = image.stored(stored);
    TrieCursor cursor = again.cursor();
    for (int length = 0; length <= KEY_BYTES; length++) {
      assertThat(cursor.next()).isTrue();
    }
    assertThat(cursor.key()).hasSize(KEY_BYTES);
    assertThat(image.stored(trie).detached().size()).isEqualTo(KEY_BYTES + 1);
    TrieWriter copy = TrieWriter.copy(new MemoryNodes(), done -> {});
    Root unused = copy.write(image.stored(trie));
    assertThat(copy.writtenNodes()).isEqualTo(KEY_BYTES);
    TrieVerifier.Report report = TrieVerifier.verify(image, image.checkpoint(trie));
    assertThat(report.entries()).isEqualTo(KEY_BYTES + 1);
    assertThat(report.faults()).isEmpty();
  }

  @Test
  void threadsThatLoadTheSameNodesSeeTheSameContent() throws Exception {
    Trie trie = randomTrie(13, 20_000);
    List<byte[]> keys = new ArrayList<>();
    for (TrieCursor cursor = trie.cursor(); cursor.next(); ) {
      keys.add(cursor.key());
    }
    Root root = image.checkpoint(trie);
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 20; round++) {
        Trie stored = Trie.stored(image, root);
        CountDownLatch start = new CountDownLatch(threads);
        List<Future<Integer>> found = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          Random random = new Random(100L * round + thread % 2);
          found.add(
              pool.submit(
                  () -> {
                    start.countDown();
                    start.await();
                    int right = 0;
                    for (int i = 0; i < 5_000; i++) {
                      byte[] key = keys.get(random.nextInt(keys.size()));
                      right += Arrays.equals(stored.get(key), VALUE) ? 1 : 0;
                      right -= stored.get(Arrays.copyOf(key, 7)) == null ? 0 : 1;
                    }
                    return right;
                  }));
        }
        for (Future<Integer> each : found) {
          assertThat(each.get()).isEqualTo(5_000);
        }
        TrieChecker.checked(stored);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
