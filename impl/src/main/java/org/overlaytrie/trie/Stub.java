package org.overlaytrie.trie;

/**
 * A node that lives on disk. It stands in a slot for the branch or the large leaf whose record lies
 * at its address; {@link Branch} replaces it by that node when it is first needed. What can be said
 * without the record, it says: how many entries there are, and whether it is the same node as
 * another.
 */
final class Stub extends Node {
  private static final byte[] UNKNOWN = {};

  private final NodeSource source;
  private final long address;
  private final int oldestSegment;
  private final long size;

  Stub(NodeSource source, long address, int oldestSegment, long size) {
    super(UNKNOWN);
    this.source = source;
    this.address = address;
    this.oldestSegment = oldestSegment;
    this.size = size;
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
  long size() {
    return size;
  }

  /** Reads the node, each time anew. Errors as for {@link NodeSource#read}. */
  @Override
  Node loaded() {
    Node node = loadedRoot();
    if (!node.hasRecord()) {
      throw source.damaged(address, "a leaf that does not stand in its parent's record");
    }
    return node;
  }

  /** The same for the root of a trie, which may also be a leaf of any size. */
  Node loadedRoot() {
    return RecordDecoder.node(source, address, size, oldestSegment);
  }

  @Override
  boolean hasRecord() {
    return true;
  }

  @Override
  int fragmentLength() {
    throw notLoaded();
  }

  @Override
  byte[] value() {
    throw notLoaded();
  }

  @Override
  Node withFragment(byte[] source, int from, int to) {
    throw notLoaded();
  }

  @Override
  Node withValue(byte[] newValue) {
    throw notLoaded();
  }

  private static AssertionError notLoaded() {
    return new AssertionError("a stub was asked for what only its record knows");
  }
}
