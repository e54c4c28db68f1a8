package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * Dekker's pattern at the end of a leader's work: it releases the leadership and then looks at the
 * tip, while a writer changes the tip and then tries to lead. At least one of them must see what
 * the other did; if neither does, the writer sleeps and nobody flushes for it.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the writer leads")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the old leader goes on")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both could; one CAS will decide")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "nobody flushes")
@State
@Checks({"SequencedCommit!EveryWriteIsAnsweredProp", "SequencedCommit!VisibleAdvancesProp"})
public class ReleaseMeetsCommit {
  private static final byte[] KEY = {1};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private final Leadership leadership = new Leadership();

  public ReleaseMeetsCommit() {
    leadership.tryAcquire();
  }

  @Actor
  public void writer(II_Result r) {
    Version seen = versions.tip();
    versions.compareAndSetTip(seen, seen.next(new LogRecord.Put(KEY, KEY)));
    r.r1 = leadership.tryAcquire() > 0 ? 1 : 0;
  }

  @Actor
  public void leader(II_Result r) {
    leadership.release();
    r.r2 = (int) versions.tip().lsn();
  }
}
