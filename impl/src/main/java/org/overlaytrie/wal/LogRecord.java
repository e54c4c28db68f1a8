package org.overlaytrie.wal;

import java.nio.ByteBuffer;
import org.overlaytrie.trie.Trie;

/**
 * What one committed change does to the map. The arrays belong to the record and are never changed.
 *
 * <p>In a frame a record is: kind (1 byte), key length (4), key, and for a {@link Put} value length
 * (4), value. Its LSN follows from its place in the frame.
 */
public sealed interface LogRecord {

  /** The longest key, in encoded bytes. */
  int MAX_KEY_BYTES = 1 << 16;

  /** The longest value, in encoded bytes. */
  int MAX_VALUE_BYTES = 1 << 26;

  /** The kind byte of a {@link Put}. */
  byte PUT = 1;

  /** The kind byte of a {@link Remove}. */
  byte REMOVE = 2;

  /** The encoded key. */
  byte[] key();

  /** The trie after this change to {@code trie}. */
  Trie applyTo(Trie trie);

  /** How many bytes {@link #encode} writes. */
  int encodedBytes();

  /** Writes the record at the position of {@code target}. */
  void encode(ByteBuffer target);

  /** The key holds {@code value} from here on. */
  @SuppressWarnings(
      "ArrayRecordComponent") // compared by nobody; copying 16 MiB values would be the defect
  record Put(byte[] key, byte[] value) implements LogRecord {
    @Override
    public Trie applyTo(Trie trie) {
      return trie.put(key, value);
    }

    @Override
    public int encodedBytes() {
      return 1 + Integer.BYTES + key.length + Integer.BYTES + value.length;
    }

    @Override
    public void encode(ByteBuffer target) {
      target.put(PUT).putInt(key.length).put(key).putInt(value.length).put(value);
    }
  }

  /** The key is absent from here on. */
  @SuppressWarnings("ArrayRecordComponent")
  record Remove(byte[] key) implements LogRecord {
    @Override
    public Trie applyTo(Trie trie) {
      return trie.remove(key);
    }

    @Override
    public int encodedBytes() {
      return 1 + Integer.BYTES + key.length;
    }

    @Override
    public void encode(ByteBuffer target) {
      target.put(REMOVE).putInt(key.length).put(key);
    }
  }
}
