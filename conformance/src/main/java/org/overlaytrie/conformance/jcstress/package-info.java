/** Runs the memory-model tests of the {@code jcstress} module and reads what they saw. */
package org.overlaytrie.conformance.jcstress;
