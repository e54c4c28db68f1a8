/**
 * The immutable radix trie that versions of the map are made of. A {@code put} decides here what
 * the next version contains; a {@code get} ends here.
 *
 * <p>{@link org.overlaytrie.trie.Trie} is a whole version's content, made of nodes: a {@code Leaf}
 * holds one entry, a {@code Branch} the entries whose keys go on in different ways. A change copies
 * the nodes on the path from the root to the changed node and shares all others with the trie it
 * started from. Nothing here recurses, so that a key of 64 KiB, which may be as many nodes deep,
 * needs no deep stack. {@link org.overlaytrie.trie.TrieCursor} goes over the entries in the order
 * of their keys, up and down, from any key or rank, and {@link org.overlaytrie.trie.Descent} over
 * the bytes that keys are made of.
 *
 * <p>A node may live on disk and leave a {@code Stub} in its place, which is replaced by the node
 * when an operation first needs it. {@link org.overlaytrie.trie.TrieWriter} writes the nodes that
 * have changed to a {@link org.overlaytrie.trie.NodeSink}, {@link org.overlaytrie.trie.Trie#stored}
 * makes a trie of what a {@link org.overlaytrie.trie.NodeSource} holds, and {@link
 * org.overlaytrie.trie.TrieVerifier} reads all of it and finds what is damaged.
 *
 * <p>Whole tries: {@link org.overlaytrie.trie.TrieDiff} finds where two differ, {@link
 * org.overlaytrie.trie.Trie#merge} puts two together, and {@link org.overlaytrie.trie.TrieBuilder}
 * makes one from sorted entries. The first two enter, and load, only what the two do not share.
 */
package org.overlaytrie.trie;
