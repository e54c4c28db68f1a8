package org.overlaytrie.broken;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code TipPublishesWholeVersion} with plain fields: nothing orders the writes that fill the
 * version before the one that publishes it, and the compiler swaps them.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "looked before it was published")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "looked after it was published")
@Outcome(expect = Expect.FORBIDDEN, desc = "a version in pieces")
@State
public class TipPublishesWholeVersionBroken {
  private static final class Version {
    int value;
  }

  private final Version next = new Version();
  private final Version first = new Version();
  private Version tip = first;

  @Actor
  public void writer() {
    next.value = 7;
    tip = next;
  }

  @Actor
  public void leader(II_Result r) {
    Version seen = tip;
    r.r1 = seen == first ? 0 : 1;
    r.r2 = seen.value;
  }
}
