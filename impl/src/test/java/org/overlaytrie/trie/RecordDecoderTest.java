package org.overlaytrie.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.trie.TrieAssertions.bytes;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.overlaytrie.CorruptStoreException;

/** What a decoder that believed its record would take for a node, where no checksum helps. */
class RecordDecoderTest {
  private static final int SEGMENT = 5;
  private static final long ADDRESS = Addresses.of(SEGMENT, 1_000);

  private final MemoryNodes image = new MemoryNodes();

  private Node decoded(long size, int oldestSegment, int... payload) {
    image.records.put(ADDRESS, bytes(payload));
    return new Stub(image, ADDRESS, oldestSegment, size).loadedRoot();
  }

  private void assertRefused(String expectation, long size, int... payload) {
    assertThatThrownBy(() -> decoded(size, SEGMENT, payload))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("segment 5, offset 1000")
        .hasMessageContaining(expectation);
  }

  @Test
  void readsTheRecordsThatTheOthersHereDifferFrom() {
    assertThat(decoded(1, SEGMENT, 0, 1, 'a', 'v').value()).isEqualTo(bytes('v'));
    assertThat(decoded(2, SEGMENT, 1, 0, 2, 'a', 0, 0, 'b', 0, 0)).isInstanceOf(Branch.class);
    assertThat(decoded(2, SEGMENT, 2, 0, 1, 'v', 1, 'b', 0, 0).value()).isEqualTo(bytes('v'));
    Branch near = (Branch) decoded(8, SEGMENT, 1, 0, 2, 'a', 15, 20, 'b', 0, 0);
    assertThat(near.slotOf('a').address()).isEqualTo(ADDRESS - 10);
    assertThat(near.slotOf('a').oldestSegment()).isEqualTo(SEGMENT);
    assertThat(near.slotOf('a').size()).isEqualTo(7);
    Branch far = (Branch) decoded(8, 2, 1, 0, 2, 'a', 15, 3, 99, 2, 'b', 0, 0);
    assertThat(far.slotOf('a').address()).isEqualTo(Addresses.of(4, 99));
    assertThat(far.slotOf('a').oldestSegment()).isEqualTo(2);
  }

  @Test
  void refusesWhatIsNoNode() {
    assertRefused("1 more bytes", 1);
    assertRefused("the kind of a node", 1, 3);
    assertRefused("a length", 1, 0, 9, 'a');
    assertRefused("2 entries", 2, 0, 1, 'a', 'v');
    assertRefused("at most 256 children", 2, 1, 0, 0x81, 2);
    assertRefused("more children", 1, 1, 0, 1, 'a', 0, 0);
    assertRefused("more children", 1, 2, 0, 0, 0);
    assertRefused("labels in ascending order", 2, 1, 0, 2, 'b', 0, 0, 'a', 0, 0);
    assertRefused("labels in ascending order", 2, 1, 0, 2, 'a', 0, 0, 'a', 0, 0);
    assertRefused("more bytes", 2, 1, 0, 2, 'a', 0, 0, 'b', 0, 5);
    assertRefused("end of the record", 2, 1, 0, 2, 'a', 0, 0, 'b', 0, 0, 0);
    assertRefused("3 entries", 3, 1, 0, 2, 'a', 0, 0, 'b', 0, 0);
  }

  @Test
  void refusesChildrenThatCannotBe() {
    assertRefused("a suffix", 2, 1, 0, 2, 'a', 0x80, 4, 0, 'b', 0, 0);
    assertRefused("a value", 2, 1, 0, 2, 'a', 0, 0x80, 2, 'b', 0, 0);
    assertRefused("no more entries", 2, 1, 0, 2, 'a', 1, 20, 'b', 0, 0);
    assertRefused("no more entries", 8, 1, 0, 2, 'a', 19, 20, 'b', 0, 0);
    assertRefused("lies before its parent", 8, 1, 0, 2, 'a', 15, 0, 'b', 0, 0);
    assertRefused("lies before its parent", 8, 1, 0, 2, 'a', 15, 0xD0, 0x0F, 'b', 0, 0);
    assertRefused("the segment of a child", 8, 1, 0, 2, 'a', 15, 11, 99, 0, 'b', 0, 0);
    assertRefused("lies before its parent", 8, 1, 0, 2, 'a', 15, 3, 0, 0, 'b', 0, 0);
    assertRefused("lies before its parent", 8, 1, 0, 2, 'a', 15, 1, 0xE8, 7, 1, 'b', 0, 0);
    assertRefused("a segment, at most 4", 8, 1, 0, 2, 'a', 15, 3, 99, 4, 'b', 0, 0);
    assertRefused("reaches into segment 5", 8, 1, 0, 2, 'a', 15, 3, 99, 0, 'b', 0, 0);
    assertThatThrownBy(() -> decoded(1, 4, 0, 1, 'a', 'v'))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("segment 4");
  }

  @Test
  void refusesNumbersThatDoNotEndOrDoNotFit() {
    int[] endless = new int[20];
    Arrays.fill(endless, 0xFF);
    endless[0] = 0;
    assertRefused("a length", 1, endless);
    assertRefused("a length", 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 'a');
    assertRefused("more bytes", 1, 0, 0x80);
  }

  @Test
  void aSmallLeafMayHaveARecordOnlyIfItIsTheRoot() {
    assertThat(decoded(1, SEGMENT, 0, 1, 'a', 'v')).isNotNull();
    assertThatThrownBy(() -> new Stub(image, ADDRESS, SEGMENT, 1).loaded())
        .isInstanceOf(CorruptStoreException.class);
  }

  @Test
  void anyBytesAreANodeOfTheRightFormOrAnError() {
    Random random = new Random(1);
    Trie trie = Trie.EMPTY;
    for (int i = 0; i < 3_000; i++) {
      byte[] key = new byte[random.nextInt(6)];
      random.nextBytes(key);
      trie = trie.put(key, new byte[random.nextInt(30) == 0 ? 400 : 3]);
    }
    Root unused = image.checkpoint(trie);
    int refused = 0;
    int taken = 0;
    for (Map.Entry<Long, byte[]> record : Map.copyOf(image.records).entrySet()) {
      for (int i = 0; i < 200; i++) {
        byte[] mutated = record.getValue().clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(4) == 0) {
          mutated = Arrays.copyOf(mutated, random.nextInt(mutated.length + 10));
        }
        image.records.put(record.getKey(), mutated);
        int segment = Addresses.segment(record.getKey());
        long size = 1L + random.nextInt(20);
        try {
          Node node = new Stub(image, record.getKey(), segment, size).loadedRoot();
          assertThat(node.size()).isEqualTo(size);
          assertThat(node.oldestSegment() == segment || !node.hasRecord()).isTrue();
          taken++;
        } catch (CorruptStoreException e) {
          refused++;
        }
      }
    }
    assertThat(taken).isPositive();
    assertThat(refused).isGreaterThan(taken);
  }
}
