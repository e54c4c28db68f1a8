package org.overlaytrie.conformance.crash;

/**
 * How an operation of a {@link SimulatedStorage} goes wrong.
 *
 * @param part what is done of the operation before it fails: the bytes written by a write or
 *     allocated by a creation; for other operations, 0 means nothing and anything else all of it
 */
public record Fault(Kind kind, long part) {

  /** The ways to go wrong. */
  public enum Kind {
    /** The machine stops before the operation takes effect. */
    CRASH,
    /** The device reports an error; what was dirty stays dirty. */
    INPUT_OUTPUT_ERROR,
    /**
     * A force reports an error and what was dirty counts as clean from now on: the cache still
     * shows it, a later force succeeds without writing it, and it may or may not be on the disk.
     * This is what Linux does.
     */
    DROPPED_PAGES,
    /** The device is full. */
    NO_SPACE
  }

  /** The machine stops before the operation. */
  public static final Fault CRASH = new Fault(Kind.CRASH, 0);

  /** The force fails and forgets what was dirty. */
  public static final Fault DROPPED_PAGES = new Fault(Kind.DROPPED_PAGES, 0);

  /** The device fails after {@code part} of the operation. */
  public static Fault inputOutputError(long part) {
    return new Fault(Kind.INPUT_OUTPUT_ERROR, part);
  }

  /** The device is full after {@code part} of the operation. */
  public static Fault noSpace(long part) {
    return new Fault(Kind.NO_SPACE, part);
  }
}
