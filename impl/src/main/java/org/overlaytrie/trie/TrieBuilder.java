package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.label;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Builds a trie from entries in ascending order of their keys, in one pass and from the bottom up:
 * each branch is made once, when a key has gone past it. The trie has the same form as if its
 * entries had been put one by one, which copies the branches on the way each time.
 *
 * <p>Only the way of the last key is open, a branch wherever a smaller key left it:
 *
 * <pre>
 *   keys  a b c            open:  (a)--(b)--c     the next key, a e, leaves at a:
 *         a b d                         d closes, then the branch at b, which becomes
 *                                       a child of the one at a
 * </pre>
 *
 * <p>All entries take time proportional to the length of their keys. Beside the trie the open
 * branches take space, no more than one for each byte of the last key. As {@link Trie#put}, it
 * keeps the arrays that it is given. To be used by one thread.
 */
public final class TrieBuilder {
  private static final int SHOWN_BYTES = 100;

  /** An open branch and how many bytes of the last key lead to it, its prefix included. */
  private record Open(int end, OpenBranch branch) {}

  private final Deque<Open> way = new ArrayDeque<>();
  private byte[] lastKey;
  private byte[] lastValue;
  private boolean built;

  /** Without entries. */
  public TrieBuilder() {}

  /**
   * Adds an entry; keeps both arrays.
   *
   * @throws IllegalArgumentException if {@code key} is not greater than the one before, by unsigned
   *     bytes; the builder stays as it was
   */
  public void add(byte[] key, byte[] value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    if (built) {
      throw new IllegalStateException("the trie is built");
    }
    if (lastKey != null) {
      int shared = Arrays.mismatch(lastKey, key);
      requireGreater(key, shared);
      closeBelow(shared);
    }
    lastKey = key;
    lastValue = value;
  }

  /** The trie with the entries added. Ends the builder. */
  public Trie build() {
    built = true;
    return lastKey == null ? Trie.EMPTY : Trie.of(closeDownTo(-1).node(0));
  }

  /** {@code shared} is the first place where the key differs from the last; negative if none. */
  private void requireGreater(byte[] key, int shared) {
    boolean greater =
        shared >= 0
            && shared < key.length
            && (shared == lastKey.length || label(key[shared]) > label(lastKey[shared]));
    if (!greater) {
      throw new IllegalArgumentException(
          "the keys are not in ascending order: " + hex(key) + " comes after " + hex(lastKey));
    }
  }

  /** Opens a branch where the next key leaves the way of the last one, and closes all below. */
  private void closeBelow(int shared) {
    Closed below = closeDownTo(shared);
    if (way.isEmpty() || way.peek().end() < shared) {
      way.push(new Open(shared, new OpenBranch()));
    }
    OpenBranch leaving = way.peek().branch();
    if (below.end() == shared) {
      leaving.value(lastValue); // the last key is a prefix of the next
    } else {
      leaving.add(label(lastKey[shared]), below.node(shared + 1));
    }
  }

  /** Closes what lies more than {@code end} bytes deep; what it becomes has no parent yet. */
  private Closed closeDownTo(int end) {
    OpenBranch leaf = new OpenBranch();
    leaf.value(lastValue);
    Closed below = new Closed(lastKey.length, leaf);
    while (!way.isEmpty() && way.peek().end() > end) {
      Open open = way.pop();
      open.branch().add(label(lastKey[open.end()]), below.node(open.end() + 1));
      below = new Closed(open.end(), open.branch());
    }
    return below;
  }

  /** What ends at {@code end} of the last key. Where its fragment begins, its parent decides. */
  private final class Closed {
    private final int end;
    private final OpenBranch content;

    Closed(int end, OpenBranch content) {
      this.end = end;
      this.content = content;
    }

    int end() {
      return end;
    }

    Node node(int from) {
      return content.close(lastKey, from, end);
    }
  }

  private static String hex(byte[] key) {
    String start = HexFormat.of().formatHex(key, 0, Math.min(key.length, SHOWN_BYTES));
    return "0x" + start + (key.length > SHOWN_BYTES ? "... (" + key.length + " bytes)" : "");
  }
}
