package org.overlaytrie.conformance.cli;

import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.Findings;

/**
 * What a stage found; green if there are no failures.
 *
 * @param failures what is wrong, each with the command that re-runs just that
 * @param findings the rows of the report
 */
public record StageResult(List<Failure> failures, Findings findings) {

  /** Copies the list. */
  public StageResult {
    failures = List.copyOf(failures);
  }

  /** A result from findings of any kinds. */
  public static StageResult of(List<Failure> failures, List<? extends Finding> findings) {
    return new StageResult(failures, Findings.of(findings));
  }

  /** Whether nothing failed. */
  public boolean passed() {
    return failures.isEmpty();
  }

  /** The failures and findings of both. */
  public StageResult plus(StageResult other) {
    List<Failure> all = new ArrayList<>(failures);
    all.addAll(other.failures);
    return new StageResult(all, findings.plus(other.findings));
  }
}
