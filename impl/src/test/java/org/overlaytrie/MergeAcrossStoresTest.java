package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.image.Image;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;
import org.overlaytrie.wal.LogRecord;
import org.overlaytrie.wal.MemoryStorage;

/**
 * The same addresses mean other nodes in another store. Merging is the one way for nodes to get
 * from one store into another: all other writes bring keys and values.
 */
class MergeAcrossStoresTest {
  private static final int ENTRIES = 10_000;

  private final Encoding<Long, Long> encoding = new Encoding<>(Codecs.longs(), Codecs.longs());

  /** Content that changes when a decision says so, as the tip of a store does. */
  private static final class Content implements EntrySource {
    private Trie trie;

    Content(Trie trie) {
      this.trie = trie;
    }

    @Override
    public Trie content() {
      return trie;
    }

    @Override
    public byte[] read(byte[] key) {
      return trie.get(key);
    }

    @Override
    public void requireWritable() {}

    @Override
    public byte[] write(Operation operation) {
      throw new AssertionError("only decisions are made here");
    }

    @Override
    public byte[] decide(Decider decision) {
      throw new AssertionError("only large decisions are made here");
    }

    @Override
    public byte[] decideLarge(Decider decision) {
      LogRecord record = decision.decide(trie).batch();
      trie = record == null ? trie : record.applyTo(trie);
      return null;
    }
  }

  private Trie trie(long value) {
    Trie trie = Trie.EMPTY;
    for (long key = 0; key < ENTRIES; key++) {
      trie = trie.put(encoding.encodeKey(key), encoding.encodeValue(value, "value"));
    }
    return trie;
  }

  private static Image image() {
    return Image.open(new MemoryStorage(), UUID.randomUUID(), Image.MIN_SEGMENT_BYTES, 1);
  }

  private static Root checkpoint(Image image, Trie trie) throws IOException {
    Root root = image.write(trie, done -> {});
    image.force();
    image.install();
    return root;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingOfTheOtherStoresImageComesIntoThisOne(boolean inChunks) throws IOException {
    try (Image mine = image();
        Image theirs = image()) {
      Root root = checkpoint(mine, trie(1));
      Root otherRoot = checkpoint(theirs, trie(2));
      assertThat(otherRoot).as("at the same addresses").isEqualTo(root);
      Content content = new Content(mine.load(root));
      Trie other = theirs.load(otherRoot);
      BulkWrite<Long, Long> merge =
          BulkWrite.merges(content, encoding, (one, two) -> two, done -> {});
      if (inChunks) {
        merge.mergeFromInChunks(other, false);
      } else {
        merge.mergeFrom(other.detached());
      }
      Trie merged = mine.load(checkpoint(mine, content.trie));
      assertThat(merged.size()).isEqualTo(ENTRIES);
      for (TrieCursor cursor = merged.cursor(); cursor.next(); ) {
        assertThat(ByteBuffer.wrap(cursor.value())).isEqualTo(ByteBuffer.wrap(value(2)));
      }
    }
  }

  private byte[] value(long value) {
    return encoding.encodeValue(value, "value");
  }

  @Test
  void aSnapshotKnowsWhichStoreItIsOf() {
    try (OverlayTrie<Long, Long> one = MemoryStores.open(Codecs.longs(), Codecs.longs());
        OverlayTrie<Long, Long> other = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
      assertThat(one.snapshot().isOf(one.commit())).isTrue();
      assertThat(one.snapshot().isOf(other.commit())).isFalse();
    }
  }
}
