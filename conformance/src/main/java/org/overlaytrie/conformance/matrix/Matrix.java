package org.overlaytrie.conformance.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.overlaytrie.conformance.matrix.InvariantList.Entry;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.MatrixRow;
import org.overlaytrie.conformance.report.MatrixRow.Cell;
import org.overlaytrie.conformance.report.MatrixRow.Evidence;
import org.overlaytrie.conformance.report.MatrixRow.State;

/** Holds what the sources claim ({@link Links}) against what a run has seen. */
final class Matrix {

  private final Links links;
  private final Verdicts verdicts;

  Matrix(Links links, Findings findings) {
    this.links = links;
    this.verdicts = new Verdicts(findings);
  }

  /**
   * One row per invariant, each with every column. A cell is green if there is evidence and the run
   * saw all of it hold, excused if a reason stands for it and nothing else does, and red otherwise.
   */
  List<MatrixRow> rows() {
    List<MatrixRow> rows = new ArrayList<>();
    for (Entry entry : links.invariants()) {
      Map<String, Cell> cells = new LinkedHashMap<>();
      for (Column column : Column.values()) {
        cells.put(column.key(), cell(entry, column));
      }
      rows.add(new MatrixRow(entry.name(), cells));
    }
    return rows;
  }

  private Cell cell(Entry entry, Column column) {
    List<Link> claimed = links.of(entry, column);
    String excuse = entry.excused().get(column);
    if (excuse != null) {
      return claimed.isEmpty()
          ? new Cell(State.EXCUSED, List.of(), excuse)
          : new Cell(
              State.RED,
              evidence(claimed),
              "excused (" + excuse + "), but there is evidence: the excuse is stale");
    }
    if (claimed.isEmpty()) {
      return new Cell(State.RED, List.of(), "missing: no evidence, and no excuse");
    }
    String problems =
        claimed.stream()
            .map(verdicts::problem)
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return problems.isEmpty()
        ? new Cell(State.GREEN, evidence(claimed), null)
        : new Cell(State.RED, evidence(claimed), problems);
  }

  private List<Evidence> evidence(List<Link> claimed) {
    return claimed.stream().map(link -> new Evidence(link.name(), verdicts.detail(link))).toList();
  }
}
