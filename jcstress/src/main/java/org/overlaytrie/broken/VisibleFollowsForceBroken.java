package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code VisibleFollowsForce} with a plain {@code visible}: the leader's force and its announcement
 * may be seen in either order.
 */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "read before it became visible")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after it became visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "read what is not durable")
@State
public class VisibleFollowsForceBroken {
  private int forcedLsn;
  private int visibleLsn;

  @Actor
  public void leader() {
    forcedLsn = 1;
    visibleLsn = 1;
  }

  @Actor
  public void reader(II_Result r) {
    r.r1 = visibleLsn;
    r.r2 = forcedLsn;
  }
}
