package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code PromotionPublishesPending} with a plain state of the waiter: the successor may find itself
 * promoted before the list that it now owns.
 */
@JCStressTest
@Outcome(
    id = "0, .*",
    expect = Expect.ACCEPTABLE,
    desc = "not promoted yet: the list is not its own")
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "promoted, and the list is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "promoted, but the list is missing")
@State
public class PromotionPublishesPendingBroken {
  private record Waiter(int lsn, Waiter next) {}

  private static final Waiter LIST = new Waiter(1, new Waiter(2, null));

  private Waiter pending;
  private boolean promoted;

  @Actor
  public void leader() {
    pending = LIST;
    promoted = true;
  }

  @Actor
  public void successor(II_Result r) {
    r.r1 = promoted ? 1 : 0;
    int sum = 0;
    for (Waiter waiter = pending; waiter != null; waiter = waiter.next()) {
      sum += waiter.lsn();
    }
    r.r2 = sum;
  }
}
