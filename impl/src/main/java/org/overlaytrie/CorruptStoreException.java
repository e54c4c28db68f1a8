package org.overlaytrie;

/**
 * The store's files hold something that no crash can have left there. The message names the file,
 * the offset and what was expected. Nothing was changed on disk, and no content was made up to fill
 * the gap.
 */
public final class CorruptStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;
  private final String expectation;

  /** Describes damage at {@code offset} (in bytes) of {@code file}. */
  public CorruptStoreException(String file, long offset, String expectation) {
    super(file + ", offset " + offset + ": " + expectation);
    this.file = file;
    this.offset = offset;
    this.expectation = expectation;
  }

  /** The damaged file's path. */
  public String file() {
    return file;
  }

  /** Where in the file the damage was noticed, in bytes from its start. */
  public long offset() {
    return offset;
  }

  /** What was expected there. */
  public String expectation() {
    return expectation;
  }
}
