package org.overlaytrie.conformance.cli;

/** The arguments or the environment are wrong; ends the command with exit status 2. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The message is shown to the user as it is, and says what to do. */
  public UsageException(String message) {
    super(message);
  }
}
