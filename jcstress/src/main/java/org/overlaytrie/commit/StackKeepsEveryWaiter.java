package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.overlaytrie.spec.Checks;

/**
 * Two entries are pushed while the leader takes the stack; what it did not get, the next leader
 * gets. Every entry must be found by exactly one of them, with the LSN that it was made with. The
 * entries are weighted 1 and 2, so that a sum tells which ones were found.
 */
@JCStressTest
@Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "taken before both pushes")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "taken between the pushes")
@Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "taken after both pushes")
@Outcome(expect = Expect.FORBIDDEN, desc = "an entry was lost or found twice")
@State
@Checks("SequencedCommit!EveryWriteIsAnsweredProp")
public class StackKeepsEveryWaiter {
  private final WaiterStack waiters = new WaiterStack();

  @Actor
  public void waiters() {
    waiters.push(new Waiter(null, 1));
    waiters.push(new Waiter(null, 2));
  }

  @Actor
  public void leader(II_Result r) {
    r.r1 = sum(waiters.drain());
  }

  @Arbiter
  public void nextLeader(II_Result r) {
    r.r2 = sum(waiters.drain());
  }

  private static int sum(Waiter first) {
    int sum = 0;
    for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
      sum += (int) waiter.lsn;
    }
    return sum;
  }
}
