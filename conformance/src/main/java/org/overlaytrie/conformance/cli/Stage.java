package org.overlaytrie.conformance.cli;

import java.time.Duration;
import java.util.Set;

/**
 * One part of the evidence: a sub-command of {@code verify.sh} and a line of its report. A stage
 * holds no state between runs.
 */
public interface Stage {

  /** The sub-command that runs this stage alone: one word of lower-case letters. */
  String name();

  /** One line for {@code --list} and the report: what a green run of this stage shows. */
  String description();

  /** How long a run takes on two cores, to show progress against; not a limit. */
  Duration expected(boolean deep);

  /**
   * How many cores a run keeps busy; stages run side by side as long as the cores suffice. At least
   * 1; more than the host has means that the stage runs alone.
   */
  default int cores() {
    return 1;
  }

  /** The stages whose findings this one reads; if they are part of the run, they run before it. */
  default Set<String> after() {
    return Set.of();
  }

  /**
   * Runs the stage and says what it found. Evidence against the project is a {@link
   * org.overlaytrie.conformance.report.Failure} in the result; so is finding nothing to run.
   *
   * @throws UsageException if the arguments name nothing that the stage knows
   * @throws Exception if the stage itself broke, which counts as a failure of the stage
   */
  StageResult run(StageContext context) throws Exception;
}
