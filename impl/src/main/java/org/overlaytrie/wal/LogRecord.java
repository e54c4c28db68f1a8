package org.overlaytrie.wal;

/**
 * What one committed change does to the map. The arrays belong to the record and are never changed.
 */
public sealed interface LogRecord {

  /** The encoded key. */
  byte[] key();

  /** The key holds {@code value} from here on. */
  @SuppressWarnings(
      "ArrayRecordComponent") // compared by nobody; copying 16 MiB values would be the defect
  record Put(byte[] key, byte[] value) implements LogRecord {}

  /** The key is absent from here on. */
  @SuppressWarnings("ArrayRecordComponent")
  record Remove(byte[] key) implements LogRecord {}
}
