----------------------------- MODULE CommitThreads -----------------------------
(*******************************************************************************)
(* What threads do while the store is open, in the order of one put: write,    *)
(* wait, lead.                                                                 *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit: SequencedCommit#write, #read;               *)
(* CombiningFlush#awaitSettled, #lead; and to WriteAheadLog#append, #force.    *)
(* Closing is in CommitClose.                                                  *)
(*******************************************************************************)
EXTENDS CommitState

(* Writing: SequencedCommit#write.                                                                  *)

(* A write operation enters the store.                                                              *)
Invoke(w, op) ==
  /\ Running
  /\ At(w, "idle")
  /\ IsOperation(op)
  /\ thread' = [thread EXCEPT ![w].pc = "invoked", ![w].op = op]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The CAS on the tip succeeds and gives the operation its LSN.  (Also in a store that failed since *)
(* the thread looked.)  A negative control makes several changes of a batch.                        *)
CommitVersion(w) ==
  LET op == thread[w].op
      effect == Apply(op, tip.map)
      changes == IF Kept("BatchWhole") \/ op.kind # "BATCH" THEN <<op>> ELSE Parts(op)
      lsn == tip.lsn + Len(changes)
  IN /\ Running
     /\ At(w, "invoked")
     /\ ~tip.closed
     /\ Changes(op, tip.map)
     /\ tip' = Version(lsn, effect.map)
     /\ chain' = chain \o changes
     /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = lsn, ![w].previous = effect.previous]
     /\ UNCHANGED <<status, incarnation, visible, leading, disk, recovered, told>>

(* The operation changes nothing in the tip, and so its answer depends on it.                       *)
ObserveNoOp(w) ==
  LET op == thread[w].op
  IN /\ Running
     /\ At(w, "invoked")
     /\ ~tip.closed
     /\ MayChangeNothing(op, tip.map)
     /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = tip.lsn, ![w].noop = TRUE,
                                 ![w].previous = Apply(op, tip.map).previous]
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* An operation that was computed from what the tip held comes to nothing, because the tip has      *)
(* moved: the thread computes another, or none.                                                     *)
Withdraw(w) ==
  /\ Running
  /\ At(w, "invoked")
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A thread in one of these places returns from waiting as soon as it reads a visible version that  *)
(* decides its operation: it has not waited yet, was woken, has led, or let everybody go.           *)
MayLeave(w) ==
  \/ thread[w].pc \in {"await", "queued", "parked", "left"}
  \/ At(w, "retry") /\ thread[w].term # term
  \/ At(w, "letgo") /\ pending = {}

(* A negative control answers here although the operation is not visible.                           *)
AnswersEarly(w) ==
  \/ ~Kept("AnswerWaits") /\ At(w, "await") /\ ~thread[w].noop
  \/ ~Kept("NoOpWaits") /\ At(w, "await") /\ thread[w].noop
  \/ ~Kept("FailureIsFailure") /\ status = "failed"

(* The operation returns its result; its LSN is visible.                                            *)
Answer(w) ==
  LET t == thread[w]
  IN /\ Running
     /\ MayLeave(w)
     /\ t.lsn <= visible.lsn \/ AnswersEarly(w)
     /\ thread' = [thread EXCEPT ![w] = IdleThread]
     /\ answered' = IF t.noop THEN answered ELSE Maximum(answered, t.lsn)
     /\ observed' = IF t.noop THEN Maximum(observed, t.lsn) ELSE observed
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, seen>>

(* The operation throws, because the store has failed and its LSN is not visible.                   *)
AnswerFailure(w) ==
  /\ status = "failed"
  /\ \/ At(w, "invoked")
     \/ MayLeave(w) /\ thread[w].lsn > visible.lsn /\ ~Closing(w)
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A read takes its answer from the visible version, unless that is closed.                         *)
ReadVisible ==
  LET version == IF Kept("ReadVisible") THEN visible ELSE tip
  IN /\ Running
     /\ ~version.closed
     /\ observed' = Maximum(observed, version.lsn)
     /\ seen' = version.map
     /\ UNCHANGED <<status, incarnation, memory, thread, leading, disk, recovered, answered>>

--------------------------------------------------------------------------------
(* Waiting: SequencedCommit#awaitVisible.                                                           *)

(* The CAS on the term succeeds: from even to odd.                                                  *)
BecomeLeader(w) ==
  /\ Running
  /\ thread[w].pc \in {"await", "rechecked", "retry"}
  /\ Free(term)
  /\ term' = Raised(term, 1)
  /\ Goto(w, "collect")
  /\ UNCHANGED <<status, incarnation, memory, stack, pending, flush, disk, recovered, told>>

(* The thread is pushed on the stack of waiters.  Its LSN may have become visible since it looked.  *)
Enqueue(w) ==
  /\ Running
  /\ At(w, "await")
  /\ stack' = stack \cup {Waiter(w, thread[w].lsn)}
  /\ Goto(w, "queued")
  /\ UNCHANGED <<status, incarnation, memory, term, pending, flush, disk, recovered, told>>

(* The waiter reads the visible version, still below its LSN: it must try to lead before it sleeps. *)
(* (From "parked": the sleep ended without cause, as LockSupport#park may.)                         *)
RecheckVisible(w) ==
  /\ status = "open"
  /\ thread[w].pc \in {"queued", "parked"}
  /\ thread[w].lsn > SettledLsn(visible)
  /\ Goto(w, "rechecked")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The waiter finds the leadership held and goes to sleep until it is served or promoted.           *)
Park(w) ==
  /\ Running
  /\ \/ At(w, "rechecked") /\ ~Free(term)
     \/ At(w, "queued") /\ ~Kept("RecheckVisible")
  /\ Goto(w, "parked")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

--------------------------------------------------------------------------------
(* Leading: SequencedCommit#lead, WriteAheadLog#append, #force.                                     *)

(* The leader reads the tip: all up to there goes into this flush.                                  *)
CollectBatch(w) ==
  /\ Running
  /\ \/ At(w, "collect")
     \/ thread[w].pc \in {"queued", "parked"} /\ thread[w].flag = "PROMOTED"
  /\ IF SettledLsn(tip) > SettledLsn(visible)
     THEN /\ Goto(w, IF tip.lsn > visible.lsn THEN "write" ELSE "publish")
          /\ flush' = [end |-> tip, written |-> visible.lsn]
     ELSE Goto(w, "drain") /\ flush' = NoFlush
  /\ UNCHANGED <<status, incarnation, memory, term, stack, pending, disk, recovered, told>>

(* One frame, with the records up to `last`, is written behind the log's last frame.                *)
WriteFrame(w, last) ==
  LET log == Collapsed
      first == flush.written + 1
      inOrder == [i \in 1 .. last - flush.written |-> RecordAt(flush.written + i)]
      records == IF Kept("CommitOrder")
                 THEN inOrder
                 ELSE [i \in DOMAIN inOrder |-> inOrder[Len(inOrder) + 1 - i]]
      frame == Frame("DATA", incarnation, first, records, LastIdentity(log), visible.lsn)
  IN /\ At(w, "write")
     /\ last \in first .. flush.end.lsn
     /\ base' = log.base
     /\ cells' = Written(log.cells, log.tail + 1, frame)
     /\ tail' = log.tail + 1
     /\ flush' = [flush EXCEPT !.written = last]
     /\ UNCHANGED <<status, incarnation, memory, thread, term, stack, pending, recovered, told>>

BatchIsWritten(w) == At(w, "write") /\ flush.written = flush.end.lsn

(* A force returns: every frame written before is durable.                                          *)
ForceLog(w) ==
  /\ \/ BatchIsWritten(w) /\ Goto(w, "publish")
     \/ At(w, "closing") /\ Goto(w, "closed")
  /\ cells' = Forced(cells)
  /\ UNCHANGED <<status, incarnation, memory, leading, base, tail, recovered, told>>

(* Readers see the end of the batch from here on; the chain is cut.                                 *)
MakeVisible(w) ==
  /\ \/ At(w, "publish")
     \/ BatchIsWritten(w) /\ ~Kept("ForceBeforeVisible")
  /\ visible' = flush.end
  /\ chain' = From(chain, flush.end.lsn - visible.lsn + 1)
  /\ flush' = NoFlush
  /\ Goto(w, "drain")
  /\ UNCHANGED <<status, incarnation, tip, term, stack, pending, disk, recovered, told>>

(* The leader takes the whole stack.                                                                *)
DrainWaiters(w) ==
  /\ \/ At(w, "drain") /\ Goto(w, "serve")
     \/ At(w, "failing") /\ Goto(w, "letgo")
  /\ pending' = pending \cup stack
  /\ stack' = {}
  /\ UNCHANGED <<status, incarnation, memory, term, flush, disk, recovered, told>>

(* One waiter is let go: its LSN is visible, or the store has failed.  A waiter that its thread     *)
(* left behind when it saw for itself is served too, to no effect.                                  *)
WakeServed(w, waiter) ==
  /\ \/ At(w, "serve") /\ waiter.lsn <= SettledLsn(visible)
     \/ At(w, "letgo")
  /\ waiter \in pending
  /\ pending' = pending \ {waiter}
  /\ thread' = IF thread[waiter.who].pc \in {"queued", "rechecked", "parked"}
                    /\ thread[waiter.who].lsn = waiter.lsn
               THEN [thread EXCEPT ![waiter.who].flag = "SERVED"]
               ELSE thread
  /\ UNCHANGED <<status, incarnation, memory, term, stack, flush, disk, recovered, told>>

(* The leadership passes to the unserved waiter with the smallest LSN, and with it those pending.   *)
HandOver(w, waiter) ==
  /\ At(w, "serve")
  /\ waiter \in pending
  /\ \A other \in pending : other.lsn > SettledLsn(visible) /\ other.lsn >= waiter.lsn
  /\ pending' = pending \ {waiter}
  /\ term' = Raised(term, 2)
  /\ thread' = [thread EXCEPT ![w].pc = "left", ![waiter.who].flag = "PROMOTED"]
  /\ UNCHANGED <<status, incarnation, memory, stack, flush, disk, recovered, told>>

(* Nobody waits unserved: the leadership becomes free.                                              *)
ReleaseLeadership(w) ==
  /\ At(w, "serve")
  /\ pending = {}
  /\ term' = Raised(term, 1)
  /\ thread' = [thread EXCEPT ![w].pc = IF Kept("RecheckTip") THEN "released" ELSE "left",
                              ![w].term = term']
  /\ UNCHANGED <<status, incarnation, memory, stack, pending, flush, disk, recovered, told>>

(* After the release the tip is read: if it is not visible, somebody must lead again, this thread   *)
(* unless another took the leadership since (MayLeave).  That the tip was closed counts too.        *)
RecheckTip(w) ==
  LET moved == IF Kept("RecheckClosed")
               THEN SettledLsn(tip) > SettledLsn(visible)
               ELSE tip.lsn > visible.lsn
  IN /\ Running
     /\ At(w, "released")
     /\ Goto(w, IF moved THEN "retry" ELSE "left")
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A write, a force or the leader itself fails.  A failed force leaves what it should have forced   *)
(* unforced for ever.  The leadership is never released again.  (A write cut short leaves what a    *)
(* crash after a whole write may leave too.)                                                        *)
FailStore(w) ==
  /\ thread[w].pc \in {"collect", "write", "publish", "drain", "serve"}
  /\ IF Kept("FailOnce")
     THEN /\ status' = "failed"
          /\ flush' = NoFlush
          /\ Goto(w, "failing")
          /\ cells' \in {cells} \cup (IF BatchIsWritten(w) THEN {ForceFailed(cells)} ELSE {})
     ELSE /\ BatchIsWritten(w)
          /\ cells' = ForceFailed(cells)
          /\ UNCHANGED <<status, flush, thread>>
  /\ UNCHANGED <<incarnation, memory, term, stack, pending, base, tail, recovered, told>>
================================================================================
