/**
 * The broken twins: each is the race of the same name in {@code org.overlaytrie.commit} with one
 * ordering taken away, as a copy of the small step. They must fail; a twin that passes means that
 * its test would not notice either. Kept out of the normal run.
 */
package org.overlaytrie.broken;
