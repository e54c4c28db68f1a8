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
 * The leader makes a version visible and then lets the thread go that waits for it. That thread
 * answers its caller, and the caller's next read must find the version: whoever was answered sees
 * its own write.
 */
@JCStressTest
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "let go, and the version is visible")
@Outcome(expect = Expect.FORBIDDEN, desc = "answered, but not visible")
@State
@Checks("SequencedCommit!AnsweredIsVisibleInv")
public class ServedSeesVisible {
  private static final byte[] KEY = {1};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private final Waiter waiter = new Waiter(null, 1);

  @Actor
  public void leader() {
    versions.makeVisible(versions.visible().next(new LogRecord.Put(KEY, KEY)));
    waiter.release(Waiter.State.SERVED);
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = waiter.state() == Waiter.State.SERVED ? 1 : 0;
    r.r2 = (int) versions.visible().lsn();
  }
}
