package org.overlaytrie.trie;

import java.util.Arrays;
import java.util.Random;

/** Sets of keys, each hard for a radix trie in its own way. */
public enum Keys {
  /** Short keys over the bytes at the ends of the signed and the unsigned range. */
  CORNER_BYTES {
    @Override
    public byte[] next(Random random) {
      byte[] corners = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
      byte[] key = new byte[random.nextInt(5)];
      for (int i = 0; i < key.length; i++) {
        key[i] = corners[random.nextInt(corners.length)];
      }
      return key;
    }
  },
  /** Keys each of which begins with all shorter ones. */
  PREFIX_CHAIN {
    @Override
    public byte[] next(Random random) {
      byte[] key = new byte[random.nextInt(120)];
      Arrays.fill(key, (byte) 'a');
      return key;
    }
  },
  /** Long runs in common that end in different places. */
  LONG_SHARED_PREFIXES {
    @Override
    public byte[] next(Random random) {
      byte[] key = new byte[200 + random.nextInt(4)];
      key[random.nextInt(4) * 66] = (byte) random.nextInt(3);
      key[key.length - 1] = (byte) random.nextInt(256);
      return key;
    }
  },
  /** All 256 labels, in branches on two levels. */
  ALL_BYTES {
    @Override
    public byte[] next(Random random) {
      return random.nextBoolean()
          ? new byte[] {(byte) random.nextInt(256)}
          : new byte[] {(byte) random.nextInt(2), (byte) random.nextInt(256)};
    }
  },
  /** Fan-out that moves to and fro over both thresholds. */
  AROUND_THE_THRESHOLDS {
    @Override
    public byte[] next(Random random) {
      return new byte[] {'k', (byte) (3 * random.nextInt(80)), (byte) random.nextInt(2)};
    }
  },
  /** Anything. */
  RANDOM {
    @Override
    public byte[] next(Random random) {
      byte[] key = new byte[random.nextInt(20)];
      random.nextBytes(key);
      return key;
    }
  };

  /** One of the keys. */
  public abstract byte[] next(Random random);
}
