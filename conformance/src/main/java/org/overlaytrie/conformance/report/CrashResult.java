package org.overlaytrie.conformance.report;

/**
 * What the crash tests went through.
 *
 * @param exhaustivePoints crash points and surviving subsets enumerated on the simulated disk
 * @param randomRuns seeded random crashes on the simulated disk
 * @param kills processes killed with SIGKILL
 * @param acknowledged writes acknowledged before those kills
 * @param lost acknowledged writes that were missing afterwards
 * @param invented entries found that nobody wrote
 */
public record CrashResult(
    long exhaustivePoints, long randomRuns, long kills, long acknowledged, long lost, long invented)
    implements Finding {

  /** Nothing tried. */
  public static final CrashResult NONE = new CrashResult(0, 0, 0, 0, 0, 0);

  CrashResult plus(CrashResult other) {
    return new CrashResult(
        exhaustivePoints + other.exhaustivePoints,
        randomRuns + other.randomRuns,
        kills + other.kills,
        acknowledged + other.acknowledged,
        lost + other.lost,
        invented + other.invented);
  }
}
