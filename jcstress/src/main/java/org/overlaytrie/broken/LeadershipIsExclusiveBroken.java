package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code LeadershipIsExclusive} with the acquiring CAS split into a look and a write: two threads
 * find the leadership free and both lead.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "only the right one led")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "only the left one led")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "left, then right")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "right, then left")
@Outcome(expect = Expect.FORBIDDEN, desc = "two leaders at once")
@State
public class LeadershipIsExclusiveBroken {
  private final AtomicLong term = new AtomicLong();
  private int lastLsn;

  @Actor
  public void left(II_Result r) {
    r.r1 = lead();
  }

  @Actor
  public void right(II_Result r) {
    r.r2 = lead();
  }

  private int lead() {
    long seen = term.get();
    if ((seen & 1) != 0) {
      return 0;
    }
    term.set(seen + 1);
    int lsn = ++lastLsn;
    term.incrementAndGet();
    return lsn;
  }
}
