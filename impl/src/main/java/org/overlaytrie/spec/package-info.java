/**
 * The seam between specification and code: the protocol's events, the invariants and the marks that
 * tie them together.
 */
package org.overlaytrie.spec;
