package org.overlaytrie.conformance.report;

/**
 * One test of the {@code lincheck} module.
 *
 * @param test {@code Class#method}
 * @param result its outcome
 * @param seconds wall-clock time
 */
public record LincheckResult(String test, TestResult.Status result, double seconds)
    implements Finding {}
