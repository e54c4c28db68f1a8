package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code ReleaseMeetsCommit} with release stores where full ordering belongs: each side's store may
 * still be on its way when it reads what the other side wrote, on every processor.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the writer leads")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the old leader goes on")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both could")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "nobody flushes")
@State
public class ReleaseMeetsCommitBroken {
  private final AtomicLong tipLsn = new AtomicLong();
  private final AtomicLong term = new AtomicLong(1);

  @Actor
  public void writer(II_Result r) {
    tipLsn.setRelease(1);
    r.r1 = term.getAcquire() == 2 ? 1 : 0;
  }

  @Actor
  public void leader(II_Result r) {
    term.setRelease(2);
    r.r2 = (int) tipLsn.getAcquire();
  }
}
