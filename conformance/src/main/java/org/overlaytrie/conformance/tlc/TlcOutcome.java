package org.overlaytrie.conformance.tlc;

import java.nio.file.Path;
import java.util.List;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Step;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/**
 * How a run of TLC ended.
 *
 * @param verdict how it ended
 * @param property the invariant or property that is violated, as TLC names it; null if none is, or
 *     if TLC does not say which
 * @param generated states generated
 * @param distinct distinct states found
 * @param depth depth of the complete state graph search; 0 if TLC does not say
 * @param actions how often each action was taken
 * @param counterexample the behaviour that TLC printed; empty if none
 * @param error what TLC complained about; null unless the verdict is an error
 * @param seconds wall-clock time of the process
 * @param log everything that TLC printed
 */
public record TlcOutcome(
    Verdict verdict,
    String property,
    long generated,
    long distinct,
    int depth,
    List<ActionCount> actions,
    List<Step> counterexample,
    String error,
    double seconds,
    Path log) {}
