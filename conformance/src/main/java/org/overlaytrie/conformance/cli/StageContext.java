package org.overlaytrie.conformance.cli;

import java.nio.file.Path;
import java.util.List;
import org.overlaytrie.conformance.report.Findings;

/**
 * What a stage is given.
 *
 * @param checkout the project's sources and build
 * @param work a directory of the stage's own, empty when the stage starts and kept after it
 * @param deep whether the longer evidence is asked for too
 * @param arguments what the user selected; empty means all
 * @param progress where to say what is going on
 * @param findings what the stages named by {@link Stage#after} found, in this run or, if they are
 *     not part of it, in the last run on the same sources
 */
public record StageContext(
    Checkout checkout,
    Path work,
    boolean deep,
    List<String> arguments,
    Progress progress,
    Findings findings) {

  /** Copies the list. */
  public StageContext {
    arguments = List.copyOf(arguments);
  }
}
