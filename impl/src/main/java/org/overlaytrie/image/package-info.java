/**
 * The checkpoint image: where the nodes of the trie lie on disk. A checkpoint writes here what it
 * finds changed; a {@code get} comes here when it needs a node that is not in memory.
 *
 * <p>An {@link org.overlaytrie.image.Image} is a series of segments to which records are appended,
 * one for each node; nothing is ever written over. What a record contains, {@link
 * org.overlaytrie.trie.TrieWriter} and the trie's stubs know. Here is what makes it durable, and
 * found again or found to be damaged. Which trie counts, its root, is the superblock's matter.
 */
package org.overlaytrie.image;
