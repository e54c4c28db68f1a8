/** The immutable radix trie that versions of the map are made of. */
package org.overlaytrie.trie;
