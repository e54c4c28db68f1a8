package org.overlaytrie;

/**
 * The directory is intact but cannot be opened as asked: it holds a store of other codecs or of a
 * newer format, or files that are no store's. The message says which, and what to do. Nothing was
 * changed on disk.
 */
public final class IncompatibleStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what does not fit and what would. */
  public IncompatibleStoreException(String message) {
    super(message);
  }
}
