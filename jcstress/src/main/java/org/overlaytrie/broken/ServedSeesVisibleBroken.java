package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code ServedSeesVisible} with the two steps of the leader swapped: it lets everybody go and
 * makes the version visible only then, so that a caller may miss its own write.
 */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "let go, and the version is visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "answered, but not visible")
@State
public class ServedSeesVisibleBroken {
  private final AtomicInteger othersServed = new AtomicInteger();
  private volatile boolean served;
  private volatile int visibleLsn;

  @Actor
  public void leader() {
    served = true;
    for (int i = 0; i < 8; i++) {
      othersServed.incrementAndGet();
    }
    visibleLsn = 1;
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = served ? 1 : 0;
    r.r2 = visibleLsn;
  }
}
