package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code StackKeepsEveryWaiter} with the swap that takes the stack split into a read and a write:
 * an entry pushed in between is wiped out.
 */
@JCStressTest
@Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "taken before both pushes")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "taken between the pushes")
@Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "taken after both pushes")
@Outcome(expect = Expect.FORBIDDEN, desc = "an entry was lost or found twice")
@State
public class StackKeepsEveryWaiterBroken {
  private record Waiter(int lsn, Waiter next) {}

  private final AtomicReference<Waiter> top = new AtomicReference<>();

  @Actor
  public void waiters() {
    push(1);
    push(2);
  }

  private void push(int lsn) {
    Waiter seen;
    do {
      seen = top.get();
    } while (!top.compareAndSet(seen, new Waiter(lsn, seen)));
  }

  private Waiter drain() {
    Waiter all = top.get();
    top.set(null);
    return all;
  }

  @Actor
  public void leader(II_Result r) {
    r.r1 = sum(drain());
  }

  @Arbiter
  public void nextLeader(II_Result r) {
    r.r2 = sum(drain());
  }

  private static int sum(Waiter first) {
    int sum = 0;
    for (Waiter waiter = first; waiter != null; waiter = waiter.next()) {
      sum += waiter.lsn();
    }
    return sum;
  }
}
