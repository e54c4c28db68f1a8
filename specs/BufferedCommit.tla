----------------------------- MODULE BufferedCommit -----------------------------
(*******************************************************************************)
(* The commit protocol when nobody waits for the disk but who asks for it.     *)
(* Operations are answered once they are committed, and readers see the tip.   *)
(* Versions become durable as in SequencedCommit, by the same leader: for a    *)
(* sync, for a writer that finds too much unforced, or at closing.  "Visible"  *)
(* here is what is durable.                                                    *)
(*                                                                             *)
(* Since not every committed version has somebody who waits for it, a leader   *)
(* that has released the leadership looks at the stack instead of the tip:     *)
(* else it would have to go on for as long as others write.                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit with Durability PERIODIC and NONE.           *)
(*******************************************************************************)
EXTENDS AsyncCommit

CONSTANT MaxUnforced  \* with so many changes that are not durable, writers have to wait; positive

(* The operation returns its result, which may not be durable.  Not once the store has failed, and  *)
(* not if too much is not durable: then the thread waits as if it had asked for a sync.             *)
AnswerUnforced(w) ==
  /\ status = "open"
  /\ At(w, "await")
  /\ thread[w].op.kind # "NONE"
  /\ Len(chain) < MaxUnforced \/ ~Kept("UnforcedIsBounded")
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A read takes its answer from the tip, unless that is closed.                                     *)
ReadTip ==
  LET version == IF Kept("ReadTip") THEN tip ELSE visible
  IN /\ Running
     /\ ~version.closed
     /\ seen' = version.map
     /\ UNCHANGED <<status, incarnation, memory, thread, leading, disk, recovered, answered, observed>>

(* After the release the stack is read: whoever was pushed since it was drained may sleep, and this *)
(* thread must lead again, unless another took the leadership since.                                *)
RecheckStack(w) ==
  /\ Running
  /\ At(w, "released")
  /\ Goto(w, IF stack # {} /\ Kept("RecheckStack") THEN "retry" ELSE "left")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A sync begins to wait, or a writer that finds too much unforced (in bytes, perhaps).             *)
WaitStep(w) ==
  \/ BecomeLeader(w)
  \/ Enqueue(w)

BufferedThreadStep(w) ==
  \/ CommitVersion(w)
  \/ ObserveNoOp(w)
  \/ AnswerUnforced(w)
  \/ Answer(w)
  \/ AnswerFailure(w)
  \/ RecheckVisible(w)
  \/ Park(w)
  \/ CollectBatch(w)
  \/ \E last \in flush.written + 1 .. flush.end.lsn : WriteFrame(w, last)
  \/ ForceLog(w)
  \/ MakeVisible(w)
  \/ DrainWaiters(w)
  \/ \E waiter \in pending : WakeServed(w, waiter)
  \/ \E waiter \in pending : HandOver(w, waiter)
  \/ ReleaseLeadership(w)
  \/ RecheckStack(w)
  \/ RefuseClosed(w)
  \/ WriteClose(w)
  \/ CloseLog(w)

BufferedNext ==
  \/ \E w \in Callers : \E op \in Operations : Invoke(w, op)
  \/ \E w \in Callers : BufferedThreadStep(w)
  \/ \E w \in Callers : WaitStep(w)
  \/ \E w \in Callers : \E s \in Stages : LeaveStage(w, s)
  \/ \E w \in Callers : RequestSync(w, tip.lsn) \/ \E s \in Stages : RequestSync(w, thread[s].lsn)
  \/ \E s \in Stages : StageStep(s)
  \/ \E w \in Callers : Withdraw(w) \/ FailStore(w) \/ CloseTip(w)
  \/ ReadTip
  \/ Crash
  \/ RecoveryStep

BufferedSpec == Init /\ [][BufferedNext]_vars

BufferedFairness ==
  \A w \in Writers :
    /\ WF_vars(~Asleep(w) /\ (BufferedThreadStep(w) \/ WaitStep(w)))
    /\ SF_vars(CollectBatch(w))

--------------------------------------------------------------------------------

(* What an answered sync covers is on the medium, and recovery finds it.  (Nothing but syncs, and   *)
(* writers that were made to wait, counts as observed or answered here.)                            *)
SyncedIsDurableInv ==
  /\ Running => observed <= Secured.lsn /\ answered <= Secured.lsn
  /\ Recovering => recovered.at.lsn >= observed /\ recovered.at.lsn >= answered

(* What is not durable stays within bounds: each caller adds one change at most to what makes it    *)
(* wait.                                                                                            *)
UnforcedIsBoundedInv == Running => Len(chain) < MaxUnforced + Cardinality(Callers)

(* Every sync and every write is answered, or throws, or its process dies.                          *)
EverySyncIsAnsweredProp == \A w \in Callers : ~At(w, "idle") ~> At(w, "idle")

--------------------------------------------------------------------------------
(* Refinement.                                                                                      *)

Syncing(w) == thread[w].op.kind = "NONE" /\ ~At(w, "idle") /\ ~Closing(w)

BufferedClientOf(w) ==
  [state  |-> CASE At(w, "idle") \/ Closing(w) -> "idle"
                [] Syncing(w)                  -> "syncing"
                [] At(w, "invoked")            -> "pending"
                [] OTHER                       -> "done",
   op     |-> thread[w].op,
   result |-> thread[w].previous,
   behind |-> IF Syncing(w) /\ thread[w].lsn > visible.lsn THEN thread[w].lsn - visible.lsn ELSE 0]

BufferedPromise == INSTANCE BufferedDurableMap WITH
  Clients <- Writers,
  up      <- Running,
  map     <- tip.map,
  durable <- visible.map,
  recent  <- chain,
  client  <- [w \in Writers |-> BufferedClientOf(w)],
  seen    <- seen

bufferedPromised ==
  <<Running, tip.map, visible.map, chain, [w \in Writers |-> BufferedClientOf(w)], seen>>

(* Every step of the protocol is a step of BufferedDurableMap, or nothing that users can see.       *)
RefinesBufferedDurableMapProp ==
  BufferedPromise!Init /\ [][UNCHANGED bufferedPromised \/ BufferedPromise!Next]_bufferedPromised
================================================================================
