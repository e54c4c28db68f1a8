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
 * The leader forces the log (here: a plain field that says how far) and then makes the version
 * visible. A reader that answers from the visible version must be behind that force, and must see
 * the version whole, though it synchronises with nobody else.
 */
@JCStressTest
@Outcome(id = "0, 0, [01]", expect = Expect.ACCEPTABLE, desc = "read before it became visible")
@Outcome(id = "1, 7, 1", expect = Expect.ACCEPTABLE, desc = "read after it became visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "read what is not durable, or not whole")
@State
@Checks({
  "SequencedCommit!VisibleIsDurableInv",
  "SequencedCommit!ObservedIsDurableInv",
})
public class VisibleFollowsForce {
  private static final byte[] KEY = {1};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private int forcedLsn;

  @Actor
  public void leader() {
    Version next = versions.visible().next(new LogRecord.Put(KEY, new byte[] {7}));
    forcedLsn = 1;
    versions.makeVisible(next);
  }

  @Actor
  public void reader(III_Result r) {
    Version visible = versions.visible();
    byte[] value = visible.trie().get(KEY);
    r.r1 = (int) visible.lsn();
    r.r2 = value == null ? 0 : value[0];
    r.r3 = forcedLsn;
  }
}
