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
 * Dekker's pattern around the stack of waiters: the leader makes an LSN visible and then takes the
 * stack, while a thread pushes its entry and then looks whether its LSN is visible. At least one of
 * them must see what the other did; if neither does, the thread sleeps though its write is durable.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the leader finds the entry")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the thread finds its LSN visible")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both do")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "the thread sleeps for ever")
@State
@Checks("SequencedCommit!EveryWriteIsAnsweredProp")
public class DrainMeetsEnqueue {
  private static final byte[] KEY = {1};

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private final WaiterStack waiters = new WaiterStack();
  private final Version next = versions.visible().next(new LogRecord.Put(KEY, KEY));

  @Actor
  public void leader(II_Result r) {
    versions.makeVisible(next);
    Waiter drained = waiters.drain();
    r.r1 = drained == null ? 0 : (int) drained.lsn;
  }

  @Actor
  public void waiter(II_Result r) {
    waiters.push(new Waiter(null, 1));
    r.r2 = versions.settled(1) ? 1 : 0;
  }
}
