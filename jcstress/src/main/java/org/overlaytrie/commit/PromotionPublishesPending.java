package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.overlaytrie.spec.Checks;

/**
 * A leader hands over: it writes the list of those who still wait, a plain field and plain links,
 * and promotes its successor. The successor leads from the moment it finds itself promoted, and
 * must then find the whole list: an entry that it misses is a thread that nobody will wake.
 */
@JCStressTest
@Outcome(
    id = "0, .*",
    expect = Expect.ACCEPTABLE,
    desc = "not promoted yet: the list is not its own")
@Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "promoted, and the list is whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "promoted, but the list is in pieces")
@State
@Checks("SequencedCommit!EveryWriteIsAnsweredProp")
public class PromotionPublishesPending {
  private final Waiter successor = new Waiter(null, 1);
  private Waiter pending;

  @Actor
  public void leader() {
    Waiter first = new Waiter(null, 1);
    first.next = new Waiter(null, 2);
    pending = first;
    successor.release(Waiter.State.PROMOTED);
  }

  @Actor
  public void successor(II_Result r) {
    r.r1 = successor.state() == Waiter.State.PROMOTED ? 1 : 0;
    int sum = 0;
    for (Waiter waiter = pending; waiter != null; waiter = waiter.next) {
      sum += (int) waiter.lsn;
    }
    r.r2 = sum;
  }
}
