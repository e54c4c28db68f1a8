package org.overlaytrie.conformance.report;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One recorded execution, checked against a module.
 *
 * @param module the module, e.g. {@code SequencedCommit}
 * @param name what was recorded
 * @param events how many events the trace holds
 * @param threads how many threads took part
 * @param killed whether the process was killed on the way and the store opened again
 * @param result whether the module explains the trace
 * @param eventsPerSecond events checked per second, from reading the trace to the verdict
 * @param problem why it was rejected; null if accepted
 */
public record TraceResult(
    String module,
    String name,
    long events,
    int threads,
    boolean killed,
    Result result,
    double eventsPerSecond,
    @JsonInclude(JsonInclude.Include.NON_NULL) String problem)
    implements Finding {

  /** Whether the module explains a trace. */
  public enum Result {
    /** The whole trace is a behaviour of the module. */
    ACCEPTED,
    /** It is not. */
    REJECTED
  }
}
