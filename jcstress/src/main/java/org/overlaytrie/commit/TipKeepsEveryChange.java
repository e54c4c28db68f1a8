package org.overlaytrie.commit;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/**
 * Two writers change different keys. Each builds its version on the tip that it read, and only the
 * CAS decides whether that tip was still the newest. Afterwards the tip must hold both changes
 * under LSNs 1 and 2: a change built on an outdated tip would erase the other one.
 */
@JCStressTest
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "one after the other, both kept")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change got lost")
@State
@Checks("SequencedCommit!CommitOrderIsLogOrderInv")
public class TipKeepsEveryChange {
  private static final byte[] LEFT = {1};
  private static final byte[] RIGHT = {2};
  private static final byte[] VALUE = {3};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));

  @Actor
  public void left() {
    write(LEFT);
  }

  @Actor
  public void right() {
    write(RIGHT);
  }

  private void write(byte[] key) {
    Version seen;
    do {
      seen = versions.tip();
    } while (!versions.compareAndSetTip(seen, seen.next(new LogRecord.Put(key, VALUE))));
  }

  @Arbiter
  public void afterwards(III_Result r) {
    Version tip = versions.tip();
    r.r1 = (int) tip.lsn();
    r.r2 = Arrays.equals(tip.trie().get(LEFT), VALUE) ? 1 : 0;
    r.r3 = Arrays.equals(tip.trie().get(RIGHT), VALUE) ? 1 : 0;
  }
}
