package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.overlaytrie.image.Image;
import org.overlaytrie.trie.Root;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieCursor;

/**
 * Checkpoints that the machine stops in the middle of. A superblock may name a root once its write
 * was forced, so from then on no crash may take any of it.
 */
class ImageCrashTest {
  private static final UUID STORE_ID = new UUID(1, 2);
  private static final int CHECKPOINTS = 4;

  /** What a superblock would say. */
  private record Named(Root root, int nextSegment, NavigableMap<Integer, Integer> content) {}

  private static byte[] bytes(int number) {
    return new byte[] {(byte) (number >> 8), (byte) number, 7};
  }

  /** Checkpoints until the script ends it; adds to {@code named} what may be named. */
  private static void run(SimulatedStorage storage, Random random, List<Named> named)
      throws IOException {
    NavigableMap<Integer, Integer> content = new TreeMap<>();
    Trie trie = Trie.EMPTY;
    Image image = Image.open(storage, STORE_ID, Image.MIN_SEGMENT_BYTES, 1);
    for (int checkpoint = 0; checkpoint < CHECKPOINTS; checkpoint++) {
      for (int i = 0; i < 2_500; i++) {
        int key = random.nextInt(6_000);
        content.put(key, i);
        byte[] value = new byte[random.nextInt(100) == 0 ? 3_000 : 40];
        value[0] = (byte) i;
        trie = trie.put(bytes(key), value);
      }
      Root root = image.write(trie, done -> {});
      image.force();
      named.add(new Named(root, image.nextSegment(), new TreeMap<>(content)));
      image.install();
      if (random.nextBoolean()) {
        image.close();
        image = Image.open(storage, STORE_ID, Image.MIN_SEGMENT_BYTES, image.nextSegment());
        trie = image.load(root);
      }
    }
  }

  private static void assertReadable(SimulatedStorage storage, Named named) throws IOException {
    try (Image image =
        Image.open(storage, STORE_ID, Image.MIN_SEGMENT_BYTES, named.nextSegment())) {
      assertThat(image.verify(named.root()).faults()).isEmpty();
      TrieCursor cursor = image.load(named.root()).cursor();
      for (var entry : named.content().entrySet()) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(bytes(entry.getKey()));
        assertThat(cursor.value()[0]).isEqualTo((byte) (int) entry.getValue());
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  @Test
  void whatWasForcedIsReadableAfterACrashAtAnyOperation() throws IOException {
    boolean crashed = true;
    for (int operation = 0; crashed; operation++) {
      int fatal = operation;
      SimulatedStorage storage =
          new SimulatedStorage(next -> next.index() == fatal ? Fault.CRASH : null);
      List<Named> named = new ArrayList<>();
      try {
        run(storage, new Random(1), named);
      } catch (SimulatedCrash e) {
        assertThat(storage.crashed()).isTrue();
      }
      crashed = storage.crashed();
      for (int seed = 0; seed < 4 && !named.isEmpty(); seed++) {
        Random survival = new Random(seed);
        int odds = seed;
        SimulatedStorage survivor = storage.crash(piece -> survival.nextInt(3) < odds);
        for (Named each : named) {
          assertReadable(survivor, each);
        }
        Image again =
            Image.open(
                survivor,
                STORE_ID,
                Image.MIN_SEGMENT_BYTES,
                named.get(named.size() - 1).nextSegment());
        Trie trie = again.load(named.get(named.size() - 1).root()).put(bytes(9_999), bytes(1));
        Root root = again.write(trie, done -> {});
        again.force();
        assertThat(again.verify(root).faults()).isEmpty();
        again.close();
      }
    }
  }
}
