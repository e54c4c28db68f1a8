package org.overlaytrie.conformance.bench;

/** Keys as they occur in practice; each a function of its number, so that nobody need keep them. */
enum KeyKind {
  /** 16 of 64 letters, as random identifiers are. */
  RANDOM {
    @Override
    String key(int i) {
      return letters(i, 6);
    }
  },

  /** 16 of 16 letters: the same in hexadecimal digits. */
  HEX {
    @Override
    String key(int i) {
      return letters(i, 4);
    }
  },

  /** 38 to 46 letters, which share much of their beginnings. */
  URL {
    @Override
    String key(int i) {
      long bits = mixed(i);
      return "https://www.site"
          + Math.floorMod(bits, 1_000)
          + ".example/articles/"
          + (2000 + Math.floorMod(bits >>> 10, 25))
          + "/"
          + letters(i, 4).substring(0, 8);
    }
  },

  /** Numbers in order, of one width. */
  SEQUENTIAL {
    @Override
    String key(int i) {
      return String.format("%012d", i);
    }
  };

  private static final String LETTERS =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

  private static final int LENGTH = 16;

  /** A new string each time. */
  abstract String key(int i);

  /** A value of the entry: 8 letters, a new string each time. */
  static String value(int i) {
    return letters(i + 1, 4).substring(0, 8);
  }

  private static String letters(int i, int bitsPerLetter) {
    char[] letters = new char[LENGTH];
    long bits = 0;
    for (int at = 0; at < LENGTH; at++) {
      if (at % 8 == 0) {
        bits = mixed(2L * i + at / 8);
      }
      letters[at] = LETTERS.charAt((int) bits & ((1 << bitsPerLetter) - 1));
      bits >>>= bitsPerLetter;
    }
    return new String(letters);
  }

  /** A bijection that looks random: the finalizer of SplitMix64. */
  static long mixed(long i) {
    long bits = (i + 1) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}
