package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code ServedSeesVisible} with the two steps of the leader swapped: it lets the thread go and
 * makes the version visible only then, so that a caller may miss its own write.
 */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "let go, and the version is visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "answered, but not visible")
@State
public class ServedSeesVisibleBroken {
  private volatile int visibleLsn;
  private volatile boolean served;

  @Actor
  public void leader() {
    served = true;
    visibleLsn = 1;
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = served ? 1 : 0;
    r.r2 = visibleLsn;
  }
}
