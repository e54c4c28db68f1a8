package org.overlaytrie.conformance.report;

/**
 * Something that is not as it must be.
 *
 * @param what what failed, in one line
 * @param detail what was seen, over several lines if need be; may be empty
 * @param rerun the command that re-runs just that, as typed in the checkout's root
 */
public record Failure(String what, String detail, String rerun) {}
