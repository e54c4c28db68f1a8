package org.overlaytrie.schedules;

import java.util.List;

/**
 * A few threads on a fresh object, small enough that all their interleavings can be run.
 * Implemented by classes that a {@link SteppingLoader} loads.
 */
public interface Scenario {

  /** What one thread does. */
  interface Body {
    void run() throws Exception;
  }

  /** Makes everything afresh and returns what its threads do; runs alone. */
  List<Body> begin() throws Exception;

  /** After all bodies returned: throws an {@link AssertionError} if the outcome is wrong. */
  void check() throws Exception;
}
