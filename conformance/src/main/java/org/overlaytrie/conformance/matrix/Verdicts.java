package org.overlaytrie.conformance.matrix;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.JcstressResult;
import org.overlaytrie.conformance.report.ModelResult;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TestResult.Status;
import org.overlaytrie.conformance.report.TraceResult;

/** Looks up what a run has seen of a piece of evidence. */
final class Verdicts {

  private final Findings findings;

  Verdicts(Findings findings) {
    this.findings = findings;
  }

  /** What speaks against the evidence in this run, that it was not executed included. */
  Optional<String> problem(Link link) {
    return look(link).problem();
  }

  /** What the run has seen, in a few words. */
  String detail(Link link) {
    return look(link).detail();
  }

  private record Verdict(String detail, Optional<String> problem) {

    static Verdict holds(String detail) {
      return new Verdict(detail, Optional.empty());
    }

    static Verdict fails(Link link, String detail) {
      return new Verdict(detail, Optional.of(link.name() + ": " + detail));
    }

    static Verdict of(Link link, boolean holds, String detail) {
      return holds ? holds(detail) : fails(link, detail);
    }
  }

  private Verdict look(Link link) {
    return switch (link.column()) {
      case CODE -> Verdict.holds(link.path());
      case MODEL, CONTROL -> model(link);
      case TRACE -> traces(link);
      case RUNTIME, SCHEDULE, CRASH -> tests(link);
      case MEMORY -> memory(link);
      case MUTANT -> mutant(link);
    };
  }

  private static Verdict notExecuted(Link link) {
    return Verdict.fails(link, "not executed in this run");
  }

  private Verdict model(Link link) {
    List<ModelResult> results =
        findings.models().stream().filter(model -> model.config().equals(link.name())).toList();
    if (results.isEmpty()) {
      return notExecuted(link);
    }
    ModelResult result = results.get(results.size() - 1);
    if (!result.passed()) {
      return Verdict.fails(link, "failed: " + result.problem());
    }
    String name = simpleName(link);
    return link.column() == Column.MODEL
        ? Verdict.of(
            link,
            result.properties().contains(name),
            String.format(Locale.ROOT, "%,d states", result.distinctStates()))
        : Verdict.of(link, name.equals(result.property()), "refuted by " + result.property());
  }

  private Verdict traces(Link link) {
    String module = link.invariant().substring(0, link.invariant().indexOf('!'));
    List<TraceResult> results =
        findings.traces().stream().filter(trace -> trace.module().equals(module)).toList();
    if (results.isEmpty()) {
      return notExecuted(link);
    }
    long accepted =
        results.stream().filter(trace -> trace.result() == TraceResult.Result.ACCEPTED).count();
    long events = results.stream().mapToLong(TraceResult::events).sum();
    return Verdict.of(
        link,
        accepted == results.size(),
        String.format(
            Locale.ROOT, "%d of %d traces accepted, %,d events", accepted, results.size(), events));
  }

  /** A class stands for all its tests. */
  private Verdict tests(Link link) {
    List<TestResult> results =
        findings.tests().stream()
            .filter(test -> test.id().equals(link.name()) || test.className().equals(link.name()))
            .toList();
    long failed = count(results, Status.FAILED);
    long passed = count(results, Status.PASSED);
    if (failed > 0) {
      return Verdict.fails(link, failed + " failed");
    }
    return passed == 0 ? notExecuted(link) : Verdict.holds(passed + " passed");
  }

  private static long count(List<TestResult> results, Status status) {
    return results.stream().filter(test -> test.status() == status).count();
  }

  private Verdict memory(Link link) {
    List<JcstressResult> results =
        findings.jcstress().stream().filter(test -> test.test().equals(link.name())).toList();
    if (results.isEmpty()) {
      return notExecuted(link);
    }
    long samples = results.stream().mapToLong(JcstressResult::samples).sum();
    return Verdict.of(
        link,
        results.stream().allMatch(JcstressResult::passed),
        String.format(
            Locale.ROOT,
            "%s in %,d samples",
            results.get(0).result().name().toLowerCase(Locale.ROOT),
            samples));
  }

  private Verdict mutant(Link link) {
    List<MutantResult> results =
        findings.mutants().stream().filter(mutant -> mutant.name().equals(link.name())).toList();
    if (results.isEmpty()) {
      return notExecuted(link);
    }
    MutantResult result = results.get(results.size() - 1);
    return result.result() == MutantResult.Result.KILLED
        ? Verdict.holds("killed by " + result.killedBy())
        : Verdict.fails(
            link, result.result().name().toLowerCase(Locale.ROOT) + ": " + result.problem());
  }

  private static String simpleName(Link link) {
    return link.invariant().substring(link.invariant().indexOf('!') + 1);
  }
}
