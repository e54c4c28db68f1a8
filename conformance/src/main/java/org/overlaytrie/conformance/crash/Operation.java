package org.overlaytrie.conformance.crash;

/**
 * One call on a {@link SimulatedStorage}, as its script sees it before it takes effect.
 *
 * @param index position among all calls on this storage, from 0
 * @param file the file's name, empty for calls on the directory
 * @param length the bytes to be read or written, or the size of the file to be created
 */
public record Operation(long index, Kind kind, String file, long position, long length) {

  /** The calls of the storage interface that reach the disk. */
  public enum Kind {
    LIST(false),
    OPEN(false),
    SIZE(false),
    READ(false),
    CREATE(true),
    DELETE(true),
    FORCE_DIRECTORY(true),
    WRITE(true),
    FORCE(true);

    private final boolean changesDisk;

    Kind(boolean changesDisk) {
      this.changesDisk = changesDisk;
    }

    /** False if a crash before this operation is the same as one before the next operation. */
    public boolean changesDisk() {
      return changesDisk;
    }
  }
}
