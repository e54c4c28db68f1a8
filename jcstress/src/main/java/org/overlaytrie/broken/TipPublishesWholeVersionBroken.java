package org.overlaytrie.broken;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * {@code TipPublishesWholeVersion} with a version that is filled only after the CAS: whoever finds
 * it as tip may find it half filled.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "looked before the CAS")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "looked after the CAS, all there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a version in pieces")
@State
public class TipPublishesWholeVersionBroken {
  private static final class Version {
    private final int lsn;
    private final AtomicInteger value = new AtomicInteger();

    Version(int lsn) {
      this.lsn = lsn;
    }
  }

  private final AtomicReference<Version> tip = new AtomicReference<>(new Version(0));

  @Actor
  public void writer() {
    Version seen = tip.get();
    Version next = new Version(seen.lsn + 1);
    tip.compareAndSet(seen, next);
    for (int i = 0; i < 7; i++) {
      next.value.incrementAndGet();
    }
  }

  @Actor
  public void leader(II_Result r) {
    Version seen = tip.get();
    r.r1 = seen.lsn;
    r.r2 = seen.value.get();
  }
}
