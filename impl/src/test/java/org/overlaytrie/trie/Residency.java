package org.overlaytrie.trie;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Where the nodes of the tries are that a test works on: the content must not depend on it. */
enum Residency {
  /** All in memory, and never anywhere else. */
  IN_MEMORY,
  /** Some in memory, some on disk, some in both, at random. */
  MIXED;

  /** All sets of keys with each residency, as arguments. */
  static Stream<Arguments> withKeys() {
    return Arrays.stream(values())
        .flatMap(where -> Arrays.stream(Keys.values()).map(keys -> Arguments.of(keys, where)));
  }

  /** Moves the nodes of the tries of one store. */
  Mover mover(Random random) {
    return new Mover(this, random);
  }

  /** The image of one store, and a hand that moves nodes to and fro. */
  static final class Mover {
    private final MemoryNodes image = new MemoryNodes();
    private final Residency residency;
    private final Random random;

    private Mover(Residency residency, Random random) {
      this.residency = residency;
      this.random = random;
    }

    /** A trie with the content of {@code trie}, perhaps itself; its nodes may be anywhere. */
    Trie move(Trie trie) {
      if (residency == IN_MEMORY) {
        return trie;
      }
      return switch (random.nextInt(5)) {
        case 0 -> trie;
        case 1 -> {
          Root unused = image.checkpoint(trie);
          yield trie;
        }
        case 2 -> // written, but with no address installed
            Trie.stored(image, MemoryNodes.write(TrieWriter.changes(image, done -> {}), trie));
        case 3 -> image.stored(trie);
        default -> stirred(image.stored(trie));
      };
    }

    /** Loads some nodes, and makes the ways to some others dirty. */
    private Trie stirred(Trie stored) {
      Trie trie = stored;
      for (int i = random.nextInt(4); i > 0 && trie.size() > 1; i--) {
        TrieCursor cursor = trie.cursor();
        if (!cursor.seekRank((long) (random.nextDouble() * trie.size()))) {
          throw new AssertionError("no entry of that rank");
        }
        if (random.nextBoolean()) {
          trie = trie.remove(cursor.key()).put(cursor.key(), cursor.value());
        }
      }
      return trie;
    }
  }
}
