package org.overlaytrie.conformance.crash;

/**
 * The machine stopped at this storage operation. It is an {@link Error} so that no code takes it
 * for a failed operation that it could handle; every later operation of the same storage throws it
 * too, so nothing that a thread still does can reach the disk.
 */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String where) {
    super("crashed at " + where, null, false, false);
  }
}
