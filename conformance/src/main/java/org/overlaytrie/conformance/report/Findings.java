package org.overlaytrie.conformance.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The sections of a report.
 *
 * @param models what TLC found
 * @param matrix the evidence behind each invariant
 * @param traces recorded executions
 * @param corruptedTraces traces changed on purpose
 * @param crash what the crash tests went through
 * @param mutants guards removed from the code
 * @param lincheck linearizability tests
 * @param jcstress memory-model tests
 * @param tests every JUnit test that ran, whichever stage ran it
 */
public record Findings(
    List<ModelResult> models,
    List<MatrixRow> matrix,
    List<TraceResult> traces,
    CorruptedTraces corruptedTraces,
    CrashResult crash,
    List<MutantResult> mutants,
    List<LincheckResult> lincheck,
    List<JcstressResult> jcstress,
    List<TestResult> tests) {

  /** Nothing found. */
  public static final Findings NONE = of(List.of());

  /** Sorts findings of any kinds into their sections. */
  public static Findings of(Collection<? extends Finding> findings) {
    return new Findings(
        only(ModelResult.class, findings),
        only(MatrixRow.class, findings),
        only(TraceResult.class, findings),
        only(CorruptedTraces.class, findings).stream()
            .reduce(CorruptedTraces.NONE, CorruptedTraces::plus),
        only(CrashResult.class, findings).stream().reduce(CrashResult.NONE, CrashResult::plus),
        only(MutantResult.class, findings),
        only(LincheckResult.class, findings),
        only(JcstressResult.class, findings),
        only(TestResult.class, findings));
  }

  /** The findings of both. */
  public Findings plus(Findings other) {
    return new Findings(
        join(models, other.models),
        join(matrix, other.matrix),
        join(traces, other.traces),
        corruptedTraces.plus(other.corruptedTraces),
        crash.plus(other.crash),
        join(mutants, other.mutants),
        join(lincheck, other.lincheck),
        join(jcstress, other.jcstress),
        join(tests, other.tests));
  }

  private static <T> List<T> only(Class<T> type, Collection<? extends Finding> findings) {
    return findings.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static <T> List<T> join(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all);
  }
}
