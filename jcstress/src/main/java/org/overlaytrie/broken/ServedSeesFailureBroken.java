package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code ServedSeesFailure} with a plain {@code failure} and a plain state of the waiter: the
 * thread may find itself let go and yet no failure, and would answer a write that is lost.
 */
@JCStressTest
@Outcome(id = "0, [02]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "let go, and the cause is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost write is answered")
@State
public class ServedSeesFailureBroken {
  private int failure;
  private boolean served;

  @Actor
  public void leader() {
    failure = 2;
    served = true;
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = served ? 1 : 0;
    r.r2 = failure;
  }
}
