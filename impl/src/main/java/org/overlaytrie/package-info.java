/**
 * The public API: {@link org.overlaytrie.OverlayTrie}, what is needed to open one, and what it
 * hands out: {@link org.overlaytrie.Snapshot} and {@link org.overlaytrie.EdgeCursor}. The rest is
 * the map views that stores, snapshots and their sub maps are made of.
 */
package org.overlaytrie;
