package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * A writer builds a version, its trie nodes included, and publishes it with the CAS on the tip.
 * Whoever finds it as tip, another writer or the leader, must find it whole: the LSN, the nodes
 * down to the value's bytes, and the link to the version before.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "looked before the CAS")
@Outcome(id = "1, 7, 1", expect = Expect.ACCEPTABLE, desc = "looked after the CAS, all there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a version in pieces")
@State
@Checks("SequencedCommit!CommitOrderIsLogOrderInv")
public class TipPublishesWholeVersion {
  private static final byte[] KEY = {1};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));

  @Actor
  public void writer() {
    Version seen = versions.tip();
    versions.compareAndSetTip(seen, seen.next(new LogRecord.Put(KEY, new byte[] {7})));
  }

  @Actor
  public void leader(III_Result r) {
    Version tip = versions.tip();
    byte[] value = tip.trie().get(KEY);
    r.r1 = (int) tip.lsn();
    r.r2 = value == null ? 0 : value[0];
    r.r3 = tip.previous() == null ? 0 : 1;
  }
}
