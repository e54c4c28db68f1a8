package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code VisibleFollowsForce} with the two steps of the leader swapped: the version is visible
 * while the force is still under way.
 */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "read before it became visible")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read after it became visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "read what is not durable")
@State
public class VisibleFollowsForceBroken {
  private final AtomicInteger bytesWritten = new AtomicInteger();
  private volatile int forcedLsn;
  private volatile int visibleLsn;

  @Actor
  public void leader() {
    visibleLsn = 1;
    for (int i = 0; i < 8; i++) {
      bytesWritten.incrementAndGet();
    }
    forcedLsn = 1;
  }

  @Actor
  public void reader(II_Result r) {
    r.r1 = visibleLsn;
    r.r2 = forcedLsn;
  }
}
