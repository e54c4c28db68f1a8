package org.overlaytrie.conformance.report;

import java.util.List;
import java.util.Map;

/**
 * Everything that stands behind one invariant.
 *
 * @param invariant {@code Module!NameInv}
 * @param columns each column's cell, in the order of the matrix
 */
public record MatrixRow(String invariant, Map<String, Cell> columns) implements Finding {

  /** Whether a cell is as it must be. */
  public enum State {
    /** There is evidence, and this run saw it hold. */
    GREEN,
    /** The column does not apply, for the reason given. */
    EXCUSED,
    /** Missing, stale, failed or not executed, for the reason given. */
    RED
  }

  /**
   * One invariant in one column.
   *
   * @param state whether it is as it must be
   * @param evidence what stands behind it
   * @param reason why it is excused or red; null if green
   */
  public record Cell(State state, List<Evidence> evidence, String reason) {}

  /**
   * One piece of evidence.
   *
   * @param name what it is: a configuration, {@code path#member}, {@code Class#test}, a mutant
   * @param detail what was seen, e.g. a state count, {@code passed}, a patch; may be empty
   */
  public record Evidence(String name, String detail) {}
}
