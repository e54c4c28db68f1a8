/**
 * Crash tests: a simulated disk, recorded histories with a checker, and real processes that are
 * killed.
 */
package org.overlaytrie.conformance.crash;
