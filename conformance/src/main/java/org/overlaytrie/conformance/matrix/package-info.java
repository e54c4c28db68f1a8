/**
 * The evidence matrix: for each invariant of the specifications, what stands behind it in the
 * model, the code and the tests, and whether a run has seen it hold.
 */
package org.overlaytrie.conformance.matrix;
