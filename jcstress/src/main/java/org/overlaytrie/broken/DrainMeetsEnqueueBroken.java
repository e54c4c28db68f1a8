package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code DrainMeetsEnqueue} without the re-check: the thread looks whether its LSN is visible,
 * pushes its entry and sleeps; the leader may do all its work in between.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the leader finds the entry")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the thread finds its LSN visible")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both do")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "the thread sleeps for ever")
@State
public class DrainMeetsEnqueueBroken {
  private volatile int visibleLsn;
  private final AtomicReference<Object> top = new AtomicReference<>();

  @Actor
  public void leader(II_Result r) {
    visibleLsn = 1;
    r.r1 = top.getAndSet(null) == null ? 0 : 1;
  }

  @Actor
  public void waiter(II_Result r) {
    r.r2 = visibleLsn;
    top.set(this);
  }
}
