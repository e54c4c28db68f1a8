package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.part;

import java.util.Arrays;

/**
 * One entry. Its key is the way to the leaf followed by the suffix, which is the fragment.
 *
 * <p>A short entry is packed: suffix, value and, in the last byte, the length of the suffix are one
 * array. In an image it stands in the record of its parent. Of a large one the value is an array by
 * itself, and it has a record of its own, so that a change to the key's neighbourhood does not copy
 * it.
 */
abstract sealed class Leaf extends Node {
  /** The longest suffix and the longest value that are packed. */
  static final int MAX_PACKED = 255;

  private Leaf(byte[] bytes) {
    super(bytes);
  }

  /** The leaf with a part of {@code source} as its suffix. */
  static Leaf of(byte[] source, int from, int to, byte[] value) {
    return of(source, from, to, value, 0, value.length);
  }

  /** The same with a part of an array as its value, which it keeps if that is all of it. */
  private static Leaf of(
      byte[] source, int from, int to, byte[] value, int valueFrom, int valueTo) {
    int length = to - from;
    int valueLength = valueTo - valueFrom;
    if (length > MAX_PACKED || valueLength > MAX_PACKED) {
      byte[] own = valueLength == value.length ? value : part(value, valueFrom, valueTo);
      return new Loose(part(source, from, to), own);
    }
    return packed(source, from, length, value, valueFrom, valueLength);
  }

  /** A leaf with parts of arrays as its suffix and its value, both short enough to be packed. */
  static Leaf packed(
      byte[] source, int from, int length, byte[] value, int valueFrom, int valueLength) {
    byte[] packed = new byte[length + valueLength + 1];
    System.arraycopy(source, from, packed, 0, length);
    System.arraycopy(value, valueFrom, packed, length, valueLength);
    packed[packed.length - 1] = (byte) length;
    return new Packed(packed);
  }

  /** This leaf without an address. */
  abstract Leaf detached();

  /** Whether the suffix is all that is left of {@code key} from {@code offset} on. */
  final boolean isRest(byte[] key, int offset) {
    return Arrays.equals(key, offset, key.length, bytes, 0, fragmentLength());
  }

  @Override
  long size() {
    return 1;
  }

  @Override
  Leaf withValue(byte[] newValue) {
    return of(bytes, 0, fragmentLength(), newValue);
  }

  private static final class Packed extends Leaf {
    Packed(byte[] bytes) {
      super(bytes);
    }

    private int end() {
      return bytes.length - 1;
    }

    @Override
    int fragmentLength() {
      return bytes[end()] & 0xFF;
    }

    @Override
    byte[] value() {
      return Arrays.copyOfRange(bytes, fragmentLength(), end());
    }

    @Override
    <T> T value(ByteReader<T> reader) {
      return reader.read(bytes, fragmentLength(), end());
    }

    @Override
    boolean hasValue(byte[] value) {
      return value != null && Arrays.equals(bytes, fragmentLength(), end(), value, 0, value.length);
    }

    @Override
    Leaf withFragment(byte[] source, int from, int to) {
      return Leaf.of(source, from, to, bytes, fragmentLength(), end());
    }

    @Override
    boolean hasRecord() {
      return false;
    }

    @Override
    Leaf detached() {
      return this;
    }
  }

  private static final class Loose extends Leaf {
    private final byte[] value;
    private int oldestSegment;

    /** Written after the oldest segment, which whoever sees it may therefore read. */
    private volatile long address;

    Loose(byte[] suffix, byte[] value) {
      super(suffix);
      this.value = value;
    }

    @Override
    int fragmentLength() {
      return bytes.length;
    }

    @Override
    byte[] value() {
      return value;
    }

    @Override
    Leaf withFragment(byte[] source, int from, int to) {
      return of(source, from, to, value);
    }

    @Override
    long address() {
      return address;
    }

    @Override
    int oldestSegment() {
      return oldestSegment;
    }

    @Override
    void install(long newAddress, int newOldestSegment) {
      oldestSegment = newOldestSegment;
      address = newAddress;
    }

    @Override
    boolean hasRecord() {
      return true;
    }

    @Override
    Leaf detached() {
      return new Loose(bytes, value);
    }
  }
}
