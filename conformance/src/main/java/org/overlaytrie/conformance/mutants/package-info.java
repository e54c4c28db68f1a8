/**
 * Mutants: patches that each remove one guard from the store's code, and the runner that expects
 * the tests they name to notice.
 */
package org.overlaytrie.conformance.mutants;
