/**
 * The public API: {@link org.overlaytrie.OverlayTrie} and what is needed to open one. The rest is
 * the map views that it and its sub maps are made of.
 */
package org.overlaytrie;
