package org.overlaytrie.wal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.overlaytrie.spec.Upholds;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieBuilder;
import org.overlaytrie.trie.TrieDiff;

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
    /** Fewer are put one by one. */
    private static final int MIN_SORTED = 16;

    /** What a batch has before its writes. */
    private static final int HEADER_BYTES = 1 + 2 * Integer.BYTES;

    /** Keeps a copy of the list. */
    public Batch {
      writes = List.copyOf(writes);
    }

    @Override
    @Upholds("SequencedCommit!BatchAtomicInv")
    public Trie applyTo(Trie trie) {
      if (writes.size() >= MIN_SORTED && isSorted()) {
        Trie merged = putSorted(trie);
        if (merged != trie) {
          return merged;
        } // to put what is there already is a change all the same
      }
      Trie changed = trie;
      for (Write write : writes) {
        changed = write.applyTo(changed);
      }
      return changed;
    }

    /** Whether they are puts in strictly ascending order of their keys. */
    private boolean isSorted() {
      byte[] last = null;
      for (Write write : writes) {
        if (!(write instanceof Put put)
            || (last != null && Arrays.compareUnsigned(last, put.key) >= 0)) {
          return false;
        }
        last = put.key;
      }
      return true;
    }

    /** Makes the branches on the way to many keys once, and not once for each of them. */
    private Trie putSorted(Trie trie) {
      TrieBuilder sorted = new TrieBuilder();
      for (Write write : writes) {
        Put put = (Put) write;
        sorted.add(put.key, put.value);
      }
      return trie.merge(sorted.build(), (old, written) -> written);
    }

    @Override
    public int encodedBytes() {
      return HEADER_BYTES + writtenBytes();
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

  /**
   * The puts and removals that make {@code after} of {@code before}, as one change. In the log it
   * is a {@link Batch}; in memory it takes no space for its writes, however many they are, because
   * they are looked up in the two tries whenever they are needed.
   *
   * @param count how many writes there are
   * @param writtenBytes their encoded bytes together, at most {@link #MAX_BATCH_BYTES}
   */
  record Difference(Trie before, Trie after, int count, int writtenBytes) implements LogRecord {
    /** The encoded bytes of what takes a key to {@code value}, or makes it absent for null. */
    public static long encodedBytes(int keyLength, byte[] value) {
      long bytes = 1L + Integer.BYTES + keyLength;
      return value == null ? bytes : bytes + Integer.BYTES + value.length;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // just the trie that the writes were found for
    @Upholds("SequencedCommit!BatchAtomicInv")
    public Trie applyTo(Trie trie) {
      return trie == before ? after : toBatch().applyTo(trie);
    }

    /** The same change with its writes in a list. */
    public Batch toBatch() {
      List<Write> writes = new ArrayList<>(count);
      for (TrieDiff diff = before.diff(after); diff.next(); ) {
        writes.add(write(diff));
      }
      return new Batch(writes);
    }

    private static Write write(TrieDiff diff) {
      return diff.after() == null ? new Remove(diff.key()) : new Put(diff.key(), diff.after());
    }

    @Override
    public int encodedBytes() {
      return Batch.HEADER_BYTES + writtenBytes;
    }

    @Override
    public void encode(ByteBuffer target) {
      int start = target.position();
      target.put(BATCH).putInt(writtenBytes).putInt(count);
      int written = 0;
      for (TrieDiff diff = before.diff(after); diff.next(); written++) {
        write(diff).encode(target);
      }
      if (written != count || target.position() - start != encodedBytes()) {
        throw new AssertionError(
            "the difference has other writes than were counted: " + written + " and not " + count);
      }
    }
  }
}
