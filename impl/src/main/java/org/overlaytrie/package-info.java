/** The public API: {@link org.overlaytrie.OverlayTrie} and what is needed to open one. */
package org.overlaytrie;
