package org.overlaytrie.conformance.cli;

import java.util.List;
import org.overlaytrie.conformance.crash.CrashStage;
import org.overlaytrie.conformance.jcstress.JcstressStage;
import org.overlaytrie.conformance.matrix.MatrixStage;
import org.overlaytrie.conformance.mutants.MutantStage;
import org.overlaytrie.conformance.tlc.TlcStage;
import org.overlaytrie.conformance.trace.TraceStage;

/** The stages there are, in the order in which they are shown and, cores permitting, begun. */
final class Stages {

  private Stages() {}

  static List<Stage> all() {
    return List.of(
        new TlcStage(),
        new TraceStage(),
        new TestsStage(),
        new CrashStage(),
        new LincheckStage(),
        new MutantStage(),
        new JcstressStage(),
        new MatrixStage());
  }
}
