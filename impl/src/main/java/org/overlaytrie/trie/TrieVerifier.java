package org.overlaytrie.trie;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.IncompatibleStoreException;

/**
 * Reads all that a root leads to and finds every fault: {@link RecordDecoder} checks each record by
 * itself, and against what its parent says of it. A record that is damaged hides what is below it;
 * the walk goes on beside it. Nothing is kept in memory but the way to where the walk is, nothing
 * is written, and nothing recurses. To be used by one thread.
 */
public final class TrieVerifier {

  /**
   * A record that cannot be used.
   *
   * @param cause a {@link CorruptStoreException}, an {@link UncheckedIOException} if it cannot be
   *     read, or an {@link IncompatibleStoreException} if it is of another format; all name the
   *     file, the place and what was expected there
   * @param keyPrefix what the keys of all entries begin with that are lost by it
   * @param entries how many they are, as the parent says; as the root says if it is the root
   */
  @SuppressWarnings("ArrayRecordComponent") // to be shown, not to be compared
  public record Fault(RuntimeException cause, byte[] keyPrefix, long entries) {}

  /**
   * What was found.
   *
   * @param records how many records are as they must be
   * @param bytes how many bytes their payloads have in all
   * @param entries how many entries can be read
   * @param entriesLost how many cannot; together they are the trie's size
   * @param faults why, in the order of the keys; empty if all is well
   */
  public record Report(
      long records, long bytes, long entries, long entriesLost, List<Fault> faults) {}

  private static final int BEFORE_CHILDREN = -1;

  private final Measuring source;
  private final Path path = new Path();

  /** The key bytes that lead to the lowest branch, and its prefix. */
  private final KeyBuffer way = new KeyBuffer();

  private final List<Fault> faults = new ArrayList<>();
  private long records;
  private long bytes;
  private long entries;
  private long entriesLost;

  private final BiConsumer<byte[], byte[]> entrySink;

  private TrieVerifier(NodeSource source, BiConsumer<byte[], byte[]> entrySink) {
    this.source = new Measuring(source);
    this.entrySink = entrySink;
  }

  /**
   * Walks over the whole trie that was written with this root.
   *
   * @throws IllegalStateException if the source is closed
   */
  public static Report verify(NodeSource source, Root root) {
    return verify(source, root, null);
  }

  /**
   * The same, and hands over the entries that can be read, in the order of the keys.
   *
   * @param entrySink null for nobody
   */
  public static Report verify(NodeSource source, Root root, BiConsumer<byte[], byte[]> entrySink) {
    TrieVerifier verifier = new TrieVerifier(source, entrySink);
    if (root.address() != 0) {
      verifier.walk(root);
    }
    return new Report(
        verifier.records,
        verifier.bytes,
        verifier.entries,
        verifier.entriesLost,
        List.copyOf(verifier.faults));
  }

  private void walk(Root root) {
    visit(new Stub(source, root.address(), root.oldestSegment(), root.size()), true);
    while (!path.isEmpty()) {
      Branch branch = path.branch();
      int position = branch.nextPosition(path.position() + 1);
      if (position < 0) {
        leave(branch);
      } else {
        path.turnTo(position);
        way.add(path.label());
        int length = way.length();
        visit(branch.slot(position), false);
        if (path.branch() == branch) { // no branch was entered
          way.cutTo(length - 1);
        }
      }
    }
  }

  private void visit(Node slot, boolean isRoot) {
    Node node = slot;
    if (slot instanceof Stub stub) {
      try {
        node = isRoot ? stub.loadedRoot() : stub.loaded();
      } catch (CorruptStoreException | IncompatibleStoreException | UncheckedIOException e) {
        faults.add(new Fault(e, way.toBytes(), slot.size()));
        entriesLost += slot.size();
        return;
      }
      records++;
      bytes += source.lastBytes;
    }
    if (node instanceof Branch branch) {
      way.add(branch.bytes, 0, branch.fragmentLength());
      path.push(branch, BEFORE_CHILDREN);
      if (branch.value() != null) {
        found(branch.value());
      }
    } else {
      int length = way.length();
      way.add(node.bytes, 0, node.fragmentLength());
      found(node.value());
      way.cutTo(length);
    }
  }

  private void found(byte[] value) {
    entries++;
    if (entrySink != null) {
      entrySink.accept(way.toBytes(), value);
    }
  }

  private void leave(Branch branch) {
    path.pop();
    int label = path.isEmpty() ? 0 : 1;
    way.cutTo(way.length() - branch.fragmentLength() - label);
  }

  /** Knows how long the record was that was read last. */
  private static final class Measuring implements NodeSource {
    private final NodeSource measured;
    private int lastBytes;

    Measuring(NodeSource measured) {
      this.measured = measured;
    }

    @Override
    public byte[] read(long address) {
      byte[] payload = measured.read(address);
      lastBytes = payload.length;
      return payload;
    }

    @Override
    public CorruptStoreException damaged(long address, String expectation) {
      return measured.damaged(address, expectation);
    }
  }
}
