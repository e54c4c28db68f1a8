/**
 * The public API: {@link org.overlaytrie.OverlayTrie}; {@link org.overlaytrie.Options}, {@link
 * org.overlaytrie.Durability} and {@link org.overlaytrie.Codecs}, which say how one is opened; and
 * what it hands out: {@link org.overlaytrie.Snapshot}, {@link org.overlaytrie.Transaction}, {@link
 * org.overlaytrie.Batch} and {@link org.overlaytrie.EdgeCursor}. The rest is the map views that
 * stores, snapshots and their sub maps are made of.
 */
package org.overlaytrie;
