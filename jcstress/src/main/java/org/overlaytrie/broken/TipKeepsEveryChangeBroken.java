package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code TipKeepsEveryChange} with a plain write where the CAS belongs: a writer that read the tip
 * before another one changed it puts its own version over it, and the other change is gone.
 */
@JCStressTest
@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "one after the other, both kept")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change got lost")
@State
public class TipKeepsEveryChangeBroken {
  private record Version(int lsn, int changes) {
    Version next(int change) {
      return new Version(lsn + 1, changes | change);
    }
  }

  private volatile Version tip = new Version(0, 0);

  @Actor
  public void left() {
    tip = tip.next(1);
  }

  @Actor
  public void right() {
    tip = tip.next(2);
  }

  @Arbiter
  public void afterwards(II_Result r) {
    r.r1 = tip.lsn();
    r.r2 = tip.changes();
  }
}
