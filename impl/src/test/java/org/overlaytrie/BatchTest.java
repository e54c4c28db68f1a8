package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.wal.LogRecord;

/** Several writes as one: batches, removals of ranges, {@code clear} and {@code putAll}. */
class BatchTest {
  private static final Options SMALL = Options.defaults().withWalSegmentBytes(4096);

  @TempDir Path directory;
  private OverlayTrie<String, String> store;

  @BeforeEach
  void open() {
    store = OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.string(), SMALL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private long lsn() {
    return store.commit().visible().lsn();
  }

  @Test
  @Checks("SequencedCommit!BatchAtomicInv")
  void makesAllWritesInTheirOrderAsOneChange() {
    store.put("a", "1");
    store.put("b", "2");
    store.put("c", "3");
    long before = lsn();
    store.writeBatch(
        batch -> {
          batch.put("a", "dropped");
          batch.put("bb", "dropped");
          batch.removeRange("a", "c");
          batch.put("b", "4");
          batch.remove("c");
          batch.put("d", "dropped");
          batch.put("d", "5");
        });
    assertThat(lsn()).isEqualTo(before + 1);
    assertThat(store).isEqualTo(Map.of("b", "4", "d", "5"));
    close();
    open();
    assertThat(store).isEqualTo(Map.of("b", "4", "d", "5"));
  }

  @Test
  void agreesWithATreeMapWhateverTheOrderOfWrites() {
    TreeMap<String, String> model = new TreeMap<>();
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      store.writeBatch(
          batch -> {
            for (int i = random.nextInt(8); i > 0; i--) {
              String key = key(random);
              String other = key(random);
              switch (random.nextInt(5)) {
                case 0 -> {
                  batch.remove(key);
                  model.remove(key);
                }
                case 1 -> {
                  String from = key.compareTo(other) <= 0 ? key : other;
                  batch.removeRange(from, key.compareTo(other) <= 0 ? other : key);
                  model.subMap(from, key.compareTo(other) <= 0 ? other : key).clear();
                }
                case 2 -> {
                  batch.removePrefix(key);
                  model.keySet().removeIf(each -> each.startsWith(key));
                }
                default -> {
                  batch.put(key, other + i);
                  model.put(key, other + i);
                }
              }
            }
          });
      assertThat(new ArrayList<>(store.entrySet()))
          .as("seed %d", seed)
          .isEqualTo(new ArrayList<>(model.entrySet()));
    }
    close();
    open();
    assertThat(store).isEqualTo(model);
  }

  private static String key(Random random) {
    return "k".repeat(random.nextInt(3)) + random.nextInt(12);
  }

  @Test
  void aBatchThatChangesNothingWritesNothing() {
    store.put("a", "1");
    long before = lsn();
    store.writeBatch(batch -> {});
    store.writeBatch(batch -> batch.remove("b"));
    store.writeBatch(
        batch -> {
          batch.remove("b");
          batch.removeRange("b", "z");
          batch.removePrefix("b");
        });
    store.removePrefix("b");
    store.tailMap("b").clear();
    store.putAll(Map.of());
    assertThat(lsn()).isEqualTo(before);
    store.put("a", "2");
    assertThat(lsn()).isEqualTo(before + 1);
  }

  @Test
  void nothingIsWrittenIfTheConsumerThrows() {
    assertThatThrownBy(
            () ->
                store.writeBatch(
                    batch -> {
                      batch.put("a", "1");
                      throw new ArithmeticException("mine");
                    }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(store).isEmpty();
    assertThat(lsn()).isZero();
    store.writeBatch(batch -> batch.put("a", "1"));
    assertThat(store).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void aBatchIsOfNoUseAfterTheCall() {
    List<Batch<String, String>> kept = new ArrayList<>();
    store.writeBatch(kept::add);
    assertThatThrownBy(() -> kept.get(0).put("a", "1")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.get(0).remove("a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.get(0).removeRange("a", "b"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> kept.get(0).removePrefix("a"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(store).isEmpty();
  }

  @Test
  void refusesWhatCannotBeWrittenAndKeepsTheRestOfTheBatch() {
    String longKey = "k".repeat(LogRecord.MAX_KEY_BYTES + 1);
    store.writeBatch(
        batch -> {
          batch.put("a", "1");
          assertThatThrownBy(() -> batch.put(longKey, "1"))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> batch.put("a", null)).isInstanceOf(NullPointerException.class);
          assertThatThrownBy(() -> batch.remove(null)).isInstanceOf(NullPointerException.class);
          assertThatThrownBy(() -> batch.removeRange("b", "a"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("from b to a");
        });
    assertThat(store).isEqualTo(Map.of("a", "1"));
    assertThatThrownBy(() -> store.writeBatch(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void saysWhatToDoAboutABatchThatIsTooLarge() {
    WriteSet writes = new WriteSet();
    byte[] value = new byte[LogRecord.MAX_VALUE_BYTES];
    LogRecord.Put put = new LogRecord.Put(new byte[] {1}, value);
    writes.add(new byte[] {1}, put);
    writes.add(new byte[] {1}, put); // in the place of the other
    assertThatThrownBy(() -> writes.add(new byte[] {2}, put))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("134217748 encoded bytes")
        .hasMessageContaining("several batches");
    assertThat(writes.hasRoomFor(put)).isFalse();
    assertThat(writes.get(new byte[] {2})).isNull();
    writes.add(new LogRecord.RemoveRange(new byte[] {3}, null));
    assertThat(writes.operation().batch().encodedBytes()).isEqualTo(9 + put.encodedBytes() + 6);
  }

  @Test
  void removesAllKeysWithAPrefix() {
    for (String key : List.of("", "a", "ab", "ab~", "abc", "ac", "b", "\uffff", "\uffff\uffffx")) {
      store.put(key, key);
    }
    long before = lsn();
    store.removePrefix("ab");
    assertThat(lsn()).isEqualTo(before + 1);
    assertThat(store.keySet()).containsExactly("", "a", "ac", "b", "\uffff", "\uffff\uffffx");
    store.removePrefix("\uffff");
    assertThat(store.keySet()).containsExactly("", "a", "ac", "b");
    store.removePrefix("");
    assertThat(store).isEmpty();
    close();
    open();
    assertThat(store).isEmpty();
  }

  @Test
  void removesAllByteKeysWithAPrefixThatEndsWithTheGreatestByte() {
    byte[] last = {-1};
    byte[] longer = {-1, -1, 0};
    try (OverlayTrie<byte[], String> bytes =
        OverlayTrie.open(directory.resolve("bytes"), Codecs.bytes(), Codecs.string(), SMALL)) {
      for (byte[] key : List.of(new byte[0], new byte[] {7}, last, longer)) {
        bytes.put(key, "1");
      }
      bytes.removePrefix(last);
      assertThat(bytes.keySet()).containsExactly(new byte[0], new byte[] {7});
    }
  }

  @Test
  void clearsTheMapAndEachViewWithOneChange() {
    store.putAll(Map.of("a", "1", "b", "2", "c", "3", "d", "4", "e", "5"));
    assertThat(lsn()).isEqualTo(1);
    store.subMap("b", false, "d", true).clear();
    assertThat(store.keySet()).containsExactly("a", "b", "e");
    store.descendingMap().headMap("b", true).keySet().clear();
    assertThat(store.keySet()).containsExactly("a");
    assertThat(lsn()).isEqualTo(3);
    close();
    open();
    assertThat(store.keySet()).containsExactly("a");
    store.values().clear();
    assertThat(store).isEmpty();
  }

  @Test
  void putsAllOrNothing() {
    TreeMap<String, String> wrong = new TreeMap<>(Map.of("a", "1", "z", "2"));
    assertThatThrownBy(() -> store.headMap("c").putAll(wrong))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(store).isEmpty();
    store.putAll(wrong);
    assertThat(store).isEqualTo(wrong);
    assertThat(lsn()).isEqualTo(1);
  }

  @Test
  void putsMoreThanFitsInOneBatchInSeveral() {
    byte[] large = new byte[LogRecord.MAX_VALUE_BYTES];
    TreeMap<String, byte[]> entries = new TreeMap<>(Map.of("a", large, "b", large, "c", large));
    try (OverlayTrie<String, byte[]> bytes =
        OverlayTrie.open(directory.resolve("large"), Codecs.string(), Codecs.bytes(), SMALL)) {
      bytes.putAll(entries);
      assertThat(bytes.keySet()).containsExactly("a", "b", "c");
      assertThat(bytes.commit().visible().lsn()).isEqualTo(3);
    }
  }

  @Test
  void refusesAllAfterTheStoreWasClosed() {
    store.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> store.writeBatch(batch -> batch.put("a", "1")),
            () -> store.writeBatch(batch -> {}),
            () -> store.removePrefix("a"),
            () -> store.clear(),
            () -> store.putAll(Map.of("a", "1")),
            () -> store.merge("a", "1", String::concat),
            () -> store.begin(),
            () -> store.beginValidated())) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
  }
}
