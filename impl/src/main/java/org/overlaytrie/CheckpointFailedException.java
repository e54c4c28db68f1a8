package org.overlaytrie;

/**
 * A checkpoint could not be completed. The store works on and nothing is lost: a checkpoint that
 * suffices, with the log behind it, is in force as before; the cause says what to mend. From a
 * write it means that the log has reached its limit, that a checkpoint must shorten it first, and
 * that nothing was written: the same call tries again.
 */
public final class CheckpointFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the cause, which the message repeats. */
  public CheckpointFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
