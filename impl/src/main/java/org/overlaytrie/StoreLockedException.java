package org.overlaytrie;

/**
 * The directory is already open, in this process or another. A store has one owner at a time;
 * nothing was changed.
 */
public final class StoreLockedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says which directory is held, and by whom as far as that is known. */
  public StoreLockedException(String message) {
    super(message);
  }
}
