/**
 * Recorded executions, checked against the specification: the reader of what {@link
 * org.overlaytrie.spec.TraceRecorder} wrote, the order of its events, and TLC's verdict on it.
 */
package org.overlaytrie.conformance.trace;
