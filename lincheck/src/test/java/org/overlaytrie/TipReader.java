package org.overlaytrie;

/** Sees what the store shows nobody; in its package to be able to. */
public final class TipReader {
  private TipReader() {}

  /** The number of entries of the tip, durable or not. */
  public static int size(OverlayTrie<?, ?> store) {
    return (int) store.commit().tip().trie().size();
  }
}
