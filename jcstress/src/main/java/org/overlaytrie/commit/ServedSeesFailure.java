package org.overlaytrie.commit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.overlaytrie.spec.Checks;
import org.overlaytrie.trie.Trie;

/**
 * A force failed: the leader marks the visible version as failed and lets everybody go. A thread
 * that was let go, and whose LSN is not visible, must find the failure and its cause: otherwise it
 * would answer a write that is lost.
 */
@JCStressTest
@Outcome(id = "0, [02]", expect = Expect.ACCEPTABLE, desc = "not let go yet")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "let go, and the cause is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost write is answered, or the cause is in pieces")
@State
@Checks("SequencedCommit!FailedAcknowledgesNothingInv")
public class ServedSeesFailure {
  /** With a plain field, so that only the way it is published can make it whole. */
  @SuppressWarnings("serial") // never leaves the process
  private static final class DiskFailure extends Exception {
    private int code;

    DiskFailure() {
      super("disk", null, false, false);
      this.code = 2;
    }
  }

  private final Versions versions = new Versions(Version.recovered(Trie.EMPTY, 0));
  private final Waiter waiter = new Waiter(null, 1);

  @Actor
  public void leader() {
    versions.visible().fail(new DiskFailure());
    waiter.release(Waiter.State.SERVED);
  }

  @Actor
  public void waiter(II_Result r) {
    r.r1 = waiter.state() == Waiter.State.SERVED ? 1 : 0;
    Throwable failure = versions.visible().failure();
    r.r2 = failure == null ? 0 : ((DiskFailure) failure).code;
  }
}
