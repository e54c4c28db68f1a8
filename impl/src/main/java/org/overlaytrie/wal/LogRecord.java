package org.overlaytrie.wal;

import java.nio.ByteBuffer;
import java.util.List;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Trie;

/**
 * What one committed change does to the map. The arrays belong to the record and are never changed.
 *
 * <p>In a frame a record begins with its kind (1 byte); {@code docs/FORMAT.md} has the rest. Its
 * LSN follows from its place in the frame.
 */
public sealed interface LogRecord {

  /** The longest key, in encoded bytes. */
  int MAX_KEY_BYTES = 1 << 16;

  /** The longest value, in encoded bytes. */
  int MAX_VALUE_BYTES = 1 << 26;

  /** The longest batch, in the encoded bytes of its writes. */
  int MAX_BATCH_BYTES = 1 << 27;

  /** The kind byte of a {@link Put}. */
  byte PUT = 1;

  /** The kind byte of a {@link Remove}. */
  byte REMOVE = 2;

  /** The kind byte of a {@link RemoveRange} that has an end. */
  byte REMOVE_RANGE = 3;

  /** The kind byte of a {@link RemoveRange} without end. */
  byte REMOVE_FROM = 4;

  /** The kind byte of a {@link Batch}. */
  byte BATCH = 5;

  /** The trie after this change to {@code trie}: that very trie if there is nothing to change. */
  Trie applyTo(Trie trie);

  /** How many bytes {@link #encode} writes. */
  int encodedBytes();

  /** Writes the record at the position of {@code target}. */
  void encode(ByteBuffer target);

  /** A change that may be part of a {@link Batch}. */
  sealed interface Write extends LogRecord {}

  /** The key holds {@code value} from here on. */
  @SuppressWarnings(
      "ArrayRecordComponent") // compared by nobody; copying 16 MiB values would be the defect
  record Put(byte[] key, byte[] value) implements Write {
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
  record Remove(byte[] key) implements Write {
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

  /**
   * All keys from {@code from} on and less than {@code to}, or all from {@code from} on if that is
   * null, are absent from here on.
   */
  @SuppressWarnings("ArrayRecordComponent")
  record RemoveRange(byte[] from, byte[] to) implements Write {
    @Override
    public Trie applyTo(Trie trie) {
      return trie.removeRange(from, to);
    }

    @Override
    public int encodedBytes() {
      return 1 + Integer.BYTES + from.length + (to == null ? 0 : Integer.BYTES + to.length);
    }

    @Override
    public void encode(ByteBuffer target) {
      target.put(to == null ? REMOVE_FROM : REMOVE_RANGE).putInt(from.length).put(from);
      if (to != null) {
        target.putInt(to.length).put(to);
      }
    }
  }

  /** Several writes, in this order, as one change. */
  record Batch(List<Write> writes) implements LogRecord {
    /** Keeps a copy of the list. */
    public Batch {
      writes = List.copyOf(writes);
    }

    @Override
    @Upholds("SequencedCommit!BatchAtomicInv")
    public Trie applyTo(Trie trie) {
      Trie changed = trie;
      for (Write write : writes) {
        changed = write.applyTo(changed);
      }
      return changed;
    }

    @Override
    public int encodedBytes() {
      return 1 + 2 * Integer.BYTES + writtenBytes();
    }

    private int writtenBytes() {
      int bytes = 0;
      for (Write write : writes) {
        bytes += write.encodedBytes();
      }
      return bytes;
    }

    @Override
    public void encode(ByteBuffer target) {
      target.put(BATCH).putInt(writtenBytes()).putInt(writes.size());
      for (Write write : writes) {
        write.encode(target);
      }
    }
  }
}
