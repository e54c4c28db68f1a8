package org.overlaytrie.commit;

/**
 * Makes a thread that is near the end of its stack fail before it takes part in the protocol.
 *
 * <p>The leader works for others. A {@link StackOverflowError} inside a flush would be caught where
 * the stack is as short as it was there: what lets the others go would overflow too, and they would
 * sleep for ever. Therefore there must be room for a flush, its force, and what follows a failure.
 * The JDK has no way to ask how much stack is left; the only way to know is to use it.
 */
public final class StackReserve {
  /**
   * A frame takes some 56 bytes in the most optimised code, 170 in the interpreter: 26 to 80 KiB.
   * The latter is what a thread needs whose flush still has classes to load; a warm one is content
   * with a few KiB.
   */
  private static final int FRAMES = 480;

  /** For what comes after a commit that flushes nothing: 7 to 20 KiB. */
  private static final int FRAMES_OF_AN_ANSWER = 120;

  private StackReserve() {}

  /**
   * Returns if the rest of the stack suffices.
   *
   * @throws StackOverflowError otherwise; nothing has happened then
   */
  public static void require() {
    require(FRAMES);
  }

  /** The same for a write that is answered without a flush. */
  static void requireForAnswer() {
    require(FRAMES_OF_AN_ANSWER);
  }

  private static void require(int frames) {
    if (use(frames, 1, 2, 3, 4, 5, 6, 7, 8) == Integer.MIN_VALUE) {
      throw new AssertionError(
          "for the compiler, which must not find that nobody needs the result");
    }
  }

  /** Needs all its arguments after the call, so that no compiler can do without a large frame. */
  private static int use(int frames, int a, int b, int c, int d, int e, int f, int g, int h) {
    if (frames == 0) {
      return a;
    }
    int below = use(frames - 1, b ^ h, c ^ a, d ^ b, e ^ c, f ^ d, g ^ e, h ^ f, a ^ g);
    return ((((((((below ^ a) + b) ^ c) + d) ^ e) + f) ^ g) + h) ^ frames;
  }
}
