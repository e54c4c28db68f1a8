package org.overlaytrie.trie;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Writes the nodes of a trie to an image, children before parents: a record can then name its
 * children's addresses, and what is behind an address that was made durable is complete.
 *
 * <pre>
 *            o  2      o: without an address, written
 *          / | \\       A: has one, so all below it has; not entered
 *         o  A  s      s: a stub, likewise
 *         1
 * </pre>
 *
 * <p>{@link #changes} writes what has no address yet, so its cost is that of the changed nodes,
 * with a factor of at most 256 for the width of branches. It keeps a reference to each node written
 * until {@link #installAddresses}, to be called when they are durable and not before: an address
 * says that a node need never be written again. {@link #copy} writes everything, for another image,
 * reads what is not in memory without keeping it there, and installs nothing.
 *
 * <p>A root that is a single short leaf has nowhere to keep an address, and is written each time.
 * Nothing recurses. To be used by one thread, for one trie; others may use the trie meanwhile.
 */
public final class TrieWriter {
  /** How many entries the listener hears of at a time. */
  private static final int TOLD_ENTRIES = 4_096;

  private static final int BEFORE_CHILDREN = -1;

  private final NodeSink sink;
  private final boolean everything;
  private final LongConsumer progress;
  private final PayloadWriter payload = new PayloadWriter();

  /** The way to the node being written; the lowest position is the child that was visited last. */
  private final Path path = new Path();

  /** Where the children are that were visited, of all branches on the path, the lowest last. */
  private final References visited = new References();

  private final List<Node> nodes = new ArrayList<>();
  private final References places = new References();
  private long writtenNodes;
  private long writtenBytes;
  private long entries;
  private long toldEntries;

  private TrieWriter(NodeSink sink, boolean everything, LongConsumer progress) {
    this.sink = sink;
    this.everything = everything;
    this.progress = progress;
  }

  /**
   * Writes the nodes that have no address.
   *
   * @param progress is told now and then how many of the trie's entries are done with, and in the
   *     end all of them
   */
  public static TrieWriter changes(NodeSink sink, LongConsumer progress) {
    return new TrieWriter(sink, false, progress);
  }

  /** Writes all nodes, to another image than they may be in. */
  public static TrieWriter copy(NodeSink sink, LongConsumer progress) {
    return new TrieWriter(sink, true, progress);
  }

  /**
   * Writes what is to be written of {@code trie}; nothing is durable yet. Once.
   *
   * @throws IOException from the sink; then what was written is of no use
   */
  public Root write(Trie trie) throws IOException {
    Node root = trie.root();
    if (root == null) {
      return Root.EMPTY;
    }
    if (root.hasRecord()) {
      visit(root);
    } else {
      record((Leaf) root);
    }
    while (!path.isEmpty()) {
      Branch branch = path.branch();
      int position = branch.nextPosition(path.position() + 1);
      if (position >= 0) {
        path.turnTo(position);
        visit(branch.slot(position));
      } else {
        path.pop();
        record(branch);
      }
    }
    tell(1);
    return new Root(visited.address(0), visited.oldestSegment(0), root.size());
  }

  /** Gives all nodes written their addresses. Only to be called once they are durable. */
  public void installAddresses() {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).install(places.address(i), places.oldestSegment(i));
    }
  }

  /** How many records were written. */
  public long writtenNodes() {
    return writtenNodes;
  }

  /** How many bytes their payloads have in all. */
  public long writtenBytes() {
    return writtenBytes;
  }

  private void visit(Node slot) throws IOException {
    if (!slot.hasRecord()) {
      entries++; // stands in its parent's record
    } else if (slot.address() != 0 && !everything) {
      visited.push(slot.address(), slot.oldestSegment());
      entries += slot.size();
    } else {
      Node node = slot.loaded();
      if (node instanceof Branch branch) {
        path.push(branch, BEFORE_CHILDREN);
      } else {
        record((Leaf) node);
      }
    }
  }

  private void record(Leaf leaf) throws IOException {
    long address = sink.place(begin(leaf));
    RecordEncoder.encode(leaf, payload);
    entries++;
    append(leaf, address, Addresses.segment(address));
  }

  private void record(Branch branch) throws IOException {
    long address = sink.place(begin(branch));
    int first = visited.count() - childrenWithRecord(branch);
    int oldestSegment = RecordEncoder.encode(branch, address, visited, first, payload);
    visited.cutTo(first);
    entries += branch.value() == null ? 0 : 1;
    append(branch, address, oldestSegment);
  }

  private static int childrenWithRecord(Branch branch) {
    int children = 0;
    for (int at = branch.nextPosition(0); at >= 0; at = branch.nextPosition(at + 1)) {
      children += branch.slot(at).hasRecord() ? 1 : 0;
    }
    return children;
  }

  private int begin(Node node) {
    int maxBytes = RecordEncoder.maxBytes(node);
    payload.begin(maxBytes);
    return maxBytes;
  }

  private void append(Node node, long address, int oldestSegment) throws IOException {
    sink.append(payload.bytes(), payload.length());
    writtenNodes++;
    writtenBytes += payload.length();
    visited.push(address, oldestSegment);
    if (!everything && node.hasRecord()) {
      nodes.add(node);
      places.push(address, oldestSegment);
    }
    tell(TOLD_ENTRIES);
  }

  private void tell(int leastNews) {
    if (entries - toldEntries >= leastNews) {
      toldEntries = entries;
      progress.accept(entries);
    }
  }
}
