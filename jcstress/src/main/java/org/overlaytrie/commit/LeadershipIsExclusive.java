package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.overlaytrie.spec.Checks;

/**
 * Two threads try to lead, write plain memory as leaders (the log's position, say), and give the
 * leadership up. Both may get it, one after the other; then the second must see what the first
 * wrote. Two leaders at once would write the same LSN twice.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "only the right one led")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "only the left one led")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "left, then right")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "right, then left")
@Outcome(expect = Expect.FORBIDDEN, desc = "two leaders at once, or work not handed on")
@State
@Checks({
  "SequencedCommit!CommitOrderIsLogOrderInv",
  "SequencedCommit!VisibleIsDurableInv",
})
public class LeadershipIsExclusive {
  private final Leadership leadership = new Leadership();
  private int lastLsn;

  @Actor
  public void left(II_Result r) {
    r.r1 = lead();
  }

  @Actor
  public void right(II_Result r) {
    r.r2 = lead();
  }

  private int lead() {
    if (leadership.tryAcquire() < 0) {
      return 0;
    }
    int lsn = ++lastLsn;
    leadership.release();
    return lsn;
  }
}
