package org.overlaytrie.trie;

import static org.overlaytrie.trie.Addresses.offset;
import static org.overlaytrie.trie.Addresses.segment;
import static org.overlaytrie.trie.RecordEncoder.BRANCH;
import static org.overlaytrie.trie.RecordEncoder.BRANCH_WITH_VALUE;
import static org.overlaytrie.trie.RecordEncoder.FAR;
import static org.overlaytrie.trie.RecordEncoder.LEAF;
import static org.overlaytrie.trie.RecordEncoder.REFERENCE;

import org.overlaytrie.CorruptStoreException;

/**
 * Makes a node of the payload of one record. The record's checksum has shown that these are the
 * bytes that were written there. Everything is checked nevertheless that the trie relies on: a
 * record of a writer with a defect, or that its parent names by mistake, is found here and not in
 * wrong answers.
 */
final class RecordDecoder {
  private static final int MAX_FAN_OUT = 256;
  private static final int NUMBER_BITS = 63;

  private final NodeSource source;
  private final long address;
  private final byte[] payload;
  private int position;

  private RecordDecoder(NodeSource source, long address, byte[] payload) {
    this.source = source;
    this.address = address;
    this.payload = payload;
  }

  /**
   * The node whose record lies at {@code address}, with this address. Errors as for {@link
   * NodeSource#read}.
   *
   * @param size the number of its entries, as its parent says
   * @param oldestSegment the oldest segment that its subtree reaches into, as its parent says
   * @throws CorruptStoreException if it is not such a node
   */
  static Node node(NodeSource source, long address, long size, int oldestSegment) {
    return new RecordDecoder(source, address, source.read(address)).node(size, oldestSegment);
  }

  private Node node(long size, int oldestSegment) {
    int kind = octet();
    require(kind <= BRANCH_WITH_VALUE, "the kind of a node");
    Node node = kind == LEAF ? leaf(oldestSegment) : branch(kind, size, oldestSegment);
    require(node.size() == size, size + " entries, as its parent says,");
    if (node.hasRecord()) {
      node.install(address, oldestSegment);
    }
    return node;
  }

  private Leaf leaf(int expectedOldest) {
    require(segment(address) == expectedOldest, "a record in segment " + expectedOldest);
    int length = length();
    int from = skip(length);
    int valueLength = payload.length - position;
    int valueFrom = skip(valueLength);
    return Leaf.of(payload, from, from + length, Bytes.part(payload, valueFrom, payload.length));
  }

  private Branch branch(int kind, long size, int expectedOldest) {
    int prefixLength = length();
    int prefixFrom = skip(prefixLength);
    byte[] value = kind == BRANCH ? null : block();
    int fanOut = (int) number(MAX_FAN_OUT, "at most 256 children");
    require(fanOut > (value == null ? 1 : 0), "more children");
    byte[] labels = new byte[fanOut];
    Node[] slots = new Node[fanOut];
    long entries = value == null ? 0 : 1;
    int oldest = segment(address);
    int previous = -1;
    for (int i = 0; i < fanOut; i++) {
      int label = octet();
      require(label > previous, "labels in ascending order");
      previous = label;
      labels[i] = (byte) label;
      slots[i] = child(size - entries);
      entries += slots[i].size();
      oldest = slots[i].hasRecord() ? Math.min(oldest, slots[i].oldestSegment()) : oldest;
    }
    require(position == payload.length, "the end of the record at byte " + position);
    require(oldest == expectedOldest, "a subtree that reaches into segment " + expectedOldest);
    int prefixTo = prefixFrom + prefixLength;
    return Branch.of(payload, prefixFrom, prefixTo, value, labels, slots, fanOut, entries);
  }

  private Node child(long maxSize) {
    long head = number(Long.MAX_VALUE, "a child");
    if ((head & REFERENCE) != 0) {
      long size = head >>> 1;
      require(size > 0 && size <= maxSize, "no more entries than its parent says");
      return reference(size);
    }
    long length = head >>> 1;
    require(length <= Leaf.MAX_PACKED, "a suffix that is short enough to stand here");
    int valueLength = (int) number(Leaf.MAX_PACKED, "a value that is short enough to stand here");
    int from = skip((int) length);
    int valueFrom = skip(valueLength);
    return Leaf.packed(payload, from, (int) length, payload, valueFrom, valueLength);
  }

  private Stub reference(long size) {
    long place = number(Long.MAX_VALUE, "the place of a child");
    int own = segment(address);
    if ((place & FAR) == 0) {
      long distance = place >>> 1;
      require(distance > 0 && distance < offset(address), "a child that lies before its parent");
      return new Stub(source, address - distance, own, size);
    }
    long distance = place >>> 1;
    require(distance < own, "the segment of a child, at most " + own);
    int segment = own - (int) distance;
    long offset = number(Addresses.MAX_OFFSET, "a place in a segment");
    require(
        offset > 0 && (distance > 0 || offset < offset(address)),
        "a child that lies before its parent");
    int older = (int) number(segment - 1, "a segment, at most " + segment);
    return new Stub(source, Addresses.of(segment, offset), segment - older, size);
  }

  private byte[] block() {
    int length = length();
    int from = skip(length);
    return Bytes.part(payload, from, from + length);
  }

  private int length() {
    return (int) number(payload.length, "a length of at most " + payload.length);
  }

  /** Passes over bytes that must be there; answers where they begin. */
  private int skip(int length) {
    require(length <= payload.length - position, length + " more bytes at byte " + position);
    int from = position;
    position += length;
    return from;
  }

  private int octet() {
    return payload[skip(1)] & 0xFF;
  }

  /** A number from 0 to {@code greatest}. */
  private long number(long greatest, String expectation) {
    long value = 0;
    for (int shift = 0; shift < NUMBER_BITS; shift += 7) {
      int next = octet();
      value |= (next & 0x7FL) << shift;
      if (next <= 0x7F) {
        require(value <= greatest, expectation);
        return value;
      }
    }
    throw source.damaged(address, expectation + " expected in the record");
  }

  private void require(boolean fulfilled, String expectation) {
    if (!fulfilled) {
      throw source.damaged(address, expectation + " expected in the record");
    }
  }
}
