package org.overlaytrie.conformance.cli;

/** Where a stage says what it is doing. Safe for use by several threads. */
public interface Progress {

  /** Shows nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void note(String line) {}
      };

  /**
   * What the stage is doing now, e.g. {@code MCSequencedCommit 120,000 states}. Replaces the step
   * before on a terminal; elsewhere most steps are left out. Cheap enough to call often.
   */
  void step(String what);

  /** One line that stays. */
  void note(String line);
}
