/**
 * Checkpoints: what is visible is written to the image, a superblock names it, and the log up to
 * there is given back. {@link org.overlaytrie.checkpoint.Checkpointer} has the steps in their
 * order, {@link org.overlaytrie.checkpoint.Checkpoints} decides when they are taken and by whom.
 */
package org.overlaytrie.checkpoint;
