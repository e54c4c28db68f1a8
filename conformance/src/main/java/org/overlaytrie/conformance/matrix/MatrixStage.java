package org.overlaytrie.conformance.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.overlaytrie.conformance.cli.Stage;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.MatrixRow;
import org.overlaytrie.conformance.report.MatrixRow.State;

/** {@code verify.sh matrix [write]}: {@code write} brings {@code docs/INVARIANTS.md} up to date. */
public final class MatrixStage implements Stage {

  private static final String WRITE = "write";
  private static final String RERUN = "./verify.sh matrix";

  /** A stage without state. */
  public MatrixStage() {}

  @Override
  public String name() {
    return "matrix";
  }

  @Override
  public String description() {
    return "every invariant has evidence of every kind, all of it executed, or a reason for the gap";
  }

  @Override
  public Duration expected(boolean deep) {
    return Duration.ofSeconds(2);
  }

  @Override
  public Set<String> after() {
    return Set.of("tests", "tlc", "trace", "crash", "lincheck", "jcstress", "mutants");
  }

  @Override
  public StageResult run(StageContext context) throws IOException {
    Path root = context.checkout().root();
    if (!context.arguments().isEmpty() && !context.arguments().equals(List.of(WRITE))) {
      throw new UsageException("The matrix takes no argument but " + WRITE);
    }
    Links links = Links.collect(root);
    if (!context.arguments().isEmpty()) {
      InvariantsDocument.write(root, links);
    }
    List<MatrixRow> rows = new Matrix(links, context.findings()).rows();
    List<Failure> failures = new ArrayList<>();
    links.problems().forEach(problem -> failures.add(new Failure(problem, "", RERUN)));
    if (!InvariantsDocument.isCurrent(root, links)) {
      failures.add(
          new Failure(
              "docs/INVARIANTS.md is not what the sources say",
              "generate it again",
              InvariantsDocument.REGENERATE));
    }
    rows.forEach(row -> addRed(row, failures));
    return StageResult.of(failures, rows);
  }

  private static void addRed(MatrixRow row, List<Failure> failures) {
    row.columns()
        .forEach(
            (column, cell) -> {
              if (cell.state() == State.RED) {
                failures.add(new Failure(row.invariant() + ", " + column, cell.reason(), RERUN));
              }
            });
  }
}
