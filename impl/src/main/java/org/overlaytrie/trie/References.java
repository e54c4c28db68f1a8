package org.overlaytrie.trie;

import java.util.Arrays;

/** Where nodes were written: a stack of addresses and of the oldest segments below them. */
final class References {
  private static final int INITIAL_CAPACITY = 16;

  private long[] addresses = new long[INITIAL_CAPACITY];
  private int[] oldestSegments = new int[INITIAL_CAPACITY];
  private int count;

  void push(long address, int oldestSegment) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      oldestSegments = Arrays.copyOf(oldestSegments, 2 * count);
    }
    addresses[count] = address;
    oldestSegments[count++] = oldestSegment;
  }

  int count() {
    return count;
  }

  long address(int index) {
    return addresses[index];
  }

  int oldestSegment(int index) {
    return oldestSegments[index];
  }

  /** Forgets all but the first {@code newCount}. */
  void cutTo(int newCount) {
    count = newCount;
  }
}
