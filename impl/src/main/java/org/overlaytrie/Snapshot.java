package org.overlaytrie;

import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.overlaytrie.commit.Decider;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.commit.SequencedCommit;
import org.overlaytrie.commit.Version;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.trie.TrieDiff;

/**
 * The content of a store at one moment, as a map that cannot be written to. {@link
 * OverlayTrie#snapshot} makes one in O(1).
 *
 * <p><b>Promise.</b> All calls, also those through views, iterators and streams, answer from the
 * same content for ever: all changes up to {@link #lsn} and none after it. To take the snapshot is
 * the read; where reads show only what is durable ({@link Durability}), no crash takes anything of
 * it back. It is itself not durable: it ends with the process.
 *
 * <p><b>Writes.</b> Every method that would write throws {@link UnsupportedOperationException},
 * also through views, {@code Iterator.remove} and {@code Entry.setValue}; methods that write as
 * often as there is something to change ({@code putAll}, and {@code removeIf}, {@code removeAll}
 * and {@code retainAll} of the collections) when they come to the first change.
 *
 * <p><b>Closing.</b> After {@link #close} or the closing of the store, all methods that look at the
 * content throw {@link IllegalStateException}, also through views, and when an iterator, stream or
 * cursor is created. Those that exist already go on as far as they need nothing that has to be
 * loaded from the image. An open snapshot keeps in memory what the store has removed or replaced
 * since.
 *
 * <p><b>Threads and cost</b> are those of reads of the store: any number of threads, no waiting for
 * writes.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class Snapshot<K, V> extends WholeMapView<K, V> implements AutoCloseable {

  /**
   * One difference between two snapshots.
   *
   * @param key the key
   * @param before its value in the first of the two, null if it was absent
   * @param after its value in the second, null if it was absent
   */
  public record Change<K, V>(K key, V before, V after) {}

  private final Content content;

  Snapshot(SequencedCommit commit, Encoding<K, V> encoding) {
    this(new Content(commit), encoding);
  }

  private Snapshot(Content content, Encoding<K, V> encoding) {
    super(content, encoding);
    this.content = content;
  }

  /**
   * The LSN of the last change that the snapshot shows, 0 for none: changes have dense numbers, in
   * the order in which they took effect. Of two snapshots of a store, the one with the greater LSN
   * is the newer one.
   */
  public long lsn() {
    content.content();
    return content.lsn;
  }

  /**
   * What was changed from this snapshot to {@code newer}, in the order of the keys: one {@link
   * Change} for each key that only one of them has, or that has values with different encodings. A
   * key that was changed and changed back is not among them. It may as well be the older of the
   * two; then the changes lead back.
   *
   * <p>The stream is sequential and finds the changes as it is read. All of them take time
   * proportional to the number of keys written between the two and the length of these keys, with a
   * factor of at most 256 for the width of the trie's branches, whatever the size of the map.
   *
   * @throws IllegalArgumentException if {@code newer} is of another store, or of another opening of
   *     this one
   * @throws IllegalStateException if either is closed; a stream that exists goes on as an iterator
   *     does
   */
  public Stream<Change<K, V>> diff(Snapshot<K, V> newer) {
    if (!newer.isOf(content.commit)) {
      throw new IllegalArgumentException("the two snapshots are not of the same open store");
    }
    TrieDiff diff = content.content().diff(newer.content.content());
    return StreamSupport.stream(new Changes(diff), false);
  }

  /** Whether this is a snapshot of the store, in just the opening, that {@code commit} is of. */
  boolean isOf(SequencedCommit commit) {
    return content.commit == commit;
  }

  /**
   * Lets go of the content; later calls throw {@link IllegalStateException}. Idempotent. Whoever
   * drops a snapshot without closing it loses nothing but memory, until it is garbage.
   */
  @Override
  public void close() {
    content.trie = null;
  }

  private final class Changes extends AbstractSpliterator<Change<K, V>> {
    private final TrieDiff diff;

    Changes(TrieDiff diff) {
      super(Long.MAX_VALUE, ORDERED | DISTINCT | NONNULL | IMMUTABLE);
      this.diff = diff;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Change<K, V>> action) {
      if (!diff.next()) {
        return false;
      }
      K key = encoding.decodeKey(diff.key());
      V before = encoding.decodeValue(diff.before());
      action.accept(new Change<>(key, before, encoding.decodeValue(diff.after())));
      return true;
    }
  }

  /** What the snapshot and its views read. */
  private static final class Content implements EntrySource {
    private final SequencedCommit commit;
    private final long lsn;

    /** Null once the snapshot is closed. */
    private volatile Trie trie;

    /** What is visible now. Only its content is kept: a version also holds its log record. */
    Content(SequencedCommit commit) {
      Version version = commit.readVersion();
      this.commit = commit;
      this.lsn = version.lsn();
      this.trie = version.trie();
    }

    @Override
    public Trie content() {
      Trie open = trie;
      if (open == null) {
        throw new IllegalStateException("the snapshot is closed");
      }
      commit.requireOpen();
      return open;
    }

    @Override
    public byte[] read(byte[] key) {
      return content().get(key);
    }

    @Override
    public void requireWritable() {
      content();
      throw new UnsupportedOperationException("a snapshot cannot be written to");
    }

    @Override
    public byte[] write(Operation operation) {
      requireWritable();
      throw new AssertionError("a snapshot was writable");
    }

    @Override
    public byte[] decide(Decider decision) {
      return write(null);
    }

    @Override
    public byte[] decideLarge(Decider decision) {
      return write(null);
    }
  }
}
