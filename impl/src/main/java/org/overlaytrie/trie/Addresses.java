package org.overlaytrie.trie;

/**
 * What addresses of records are made of: the number of a segment, at least 1, in the upper 32 bits,
 * and a place in the segment, at least 1, in the lower ones. 0 is no address.
 */
public final class Addresses {
  /** The greatest place in a segment. */
  public static final long MAX_OFFSET = 0xFFFF_FFFFL;

  private Addresses() {}

  /** The address of a place in a segment. */
  public static long of(int segment, long offset) {
    return ((long) segment << 32) | offset;
  }

  /** The number of the segment. */
  public static int segment(long address) {
    return (int) (address >>> 32);
  }

  /** The place in the segment. */
  public static long offset(long address) {
    return address & MAX_OFFSET;
  }
}
