package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code ServedSeesFailure} with the two steps of the leader swapped: it lets everybody go and
 * marks the failure only then. A thread in between would answer a write that is lost.
 */
@JCStressTest
@Outcome(id = "0, [02]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "let go, and the cause is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost write is answered")
@State
public class ServedSeesFailureBroken {
  private final AtomicInteger othersServed = new AtomicInteger();
  private volatile boolean served;
  private volatile int failure;

  @Actor
  public void leader() {
    served = true;
    for (int i = 0; i < 8; i++) {
      othersServed.incrementAndGet();
    }
    failure = 2;
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = served ? 1 : 0;
    r.r2 = failure;
  }
}
