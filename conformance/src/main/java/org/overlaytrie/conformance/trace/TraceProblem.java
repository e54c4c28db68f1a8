package org.overlaytrie.conformance.trace;

import java.util.List;

/** Why a trace cannot be read, or cannot be an execution of the protocol. */
final class TraceProblem extends Exception {
  private static final long serialVersionUID = 1L;

  TraceProblem(String what) {
    super(what);
  }

  /** A contradiction between events. */
  TraceProblem(String what, List<TraceEvent> events) {
    super(what + ":" + String.join("", events.stream().map(event -> "\n  " + event).toList()));
  }
}
