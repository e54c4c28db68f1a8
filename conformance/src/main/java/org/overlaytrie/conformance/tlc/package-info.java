/**
 * Runs TLC, one process per model, reads its machine-readable output and compares the result with
 * {@code specs/manifest.json}.
 */
package org.overlaytrie.conformance.tlc;
