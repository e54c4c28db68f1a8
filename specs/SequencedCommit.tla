---------------------------- MODULE SequencedCommit ----------------------------
(*******************************************************************************)
(* The commit protocol.  One CAS on the tip decides commit order and LSN; one  *)
(* leader at a time writes and forces what was committed, makes it visible and *)
(* serves those who wait; readers see only what is durable.                    *)
(*                                                                             *)
(* Here: how it begins and goes on, what always holds, what happens in the end, *)
(* and that it keeps the promise of DurableMap.  The state is in CommitState,  *)
(* the actions in CommitThreads and CommitRecovery, the disk in LogOnDisk.  An *)
(* action has the name of the method of org.overlaytrie.spec.ProtocolEvents that *)
(* the code calls there.                                                       *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit and org.overlaytrie.wal.                     *)
(*******************************************************************************)
EXTENDS CommitClose, CommitRecovery, Bags

(* A store that was just created: an empty log, and nobody has opened it.                           *)
Init ==
  /\ status = "down"
  /\ incarnation = 0
  /\ tip = Version(0, EmptyMap) /\ visible = Version(0, EmptyMap) /\ chain = <<>>
  /\ thread = [w \in Writers |-> IdleThread]
  /\ term = 0 /\ stack = {} /\ pending = {} /\ flush = NoFlush
  /\ base = Start /\ cells = <<>> /\ tail = 0
  /\ recovered = NothingRead
  /\ answered = 0 /\ observed = 0 /\ seen = EmptyMap

(* What a thread does once it has invoked an operation.                                             *)
ThreadStep(w) ==
  \/ CommitVersion(w)
  \/ ObserveNoOp(w)
  \/ Answer(w)
  \/ AnswerFailure(w)
  \/ BecomeLeader(w)
  \/ Enqueue(w)
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
  \/ RecheckTip(w)
  \/ RefuseClosed(w)
  \/ WriteClose(w)
  \/ CloseLog(w)

RecoveryStep ==
  \/ ReadLog
  \/ RewriteTail
  \/ ForceTail
  \/ OpenIncarnation
  \/ FinishRecovery
  \/ FailRecovery

Next ==
  \/ \E w \in Writers : \E op \in Operations : Invoke(w, op)
  \/ \E w \in Writers : ThreadStep(w)
  \/ \E w \in Writers : Withdraw(w)
  \/ \E w \in Writers : FailStore(w)
  \/ \E w \in Writers : CloseTip(w)
  \/ ReadVisible
  \/ Crash
  \/ RecoveryStep

(* A sleeper whose flag says WAITING need not wake; every other thread goes on.  A waiter looks at  *)
(* its flag in every round, so that it cannot overlook for ever that it leads.                      *)
Asleep(w) == At(w, "parked") /\ thread[w].flag = "WAITING"

Fairness ==
  \A w \in Writers : WF_vars(~Asleep(w) /\ ThreadStep(w)) /\ SF_vars(CollectBatch(w))

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------
(* Invariants.                                                                                      *)

(* What readers see is on the medium, whatever happens now.                                         *)
VisibleIsDurableInv ==
  Running => /\ Secured.lsn >= visible.lsn
             /\ Secured.map = ReplayedAll(RecordsUpTo(Secured.lsn), visible.map)

(* A change is answered only when readers see it.  (In a failed store that is what                  *)
(* FailedAcknowledgesNothingInv says.)                                                              *)
AnsweredIsVisibleInv == status = "open" => answered <= visible.lsn

(* What a read or the answer of a no-op depended on is on the medium, whatever happens now.         *)
ObservedIsDurableInv == Running => observed <= Secured.lsn

(* The log holds the records in the order, and with the LSNs, of their commits.                     *)
CommitOrderIsLogOrderInv ==
  Running =>
    /\ tip.lsn = visible.lsn + Len(chain)
    /\ tip.map = ReplayedAll(RecordsUpTo(tip.lsn), visible.map)
    /\ \A i \in 1 .. tail :
         LET frame == cells[i].cached
         IN \A j \in DOMAIN frame.records :
              LET lsn == frame.first + j - 1
              IN lsn > visible.lsn => lsn <= tip.lsn /\ frame.records[j] = RecordAt(lsn)

(* Recovery brings back a state that the commits passed through, and never judges a crash to be     *)
(* corruption.                                                                                      *)
RecoveredIsPrefixInv ==
  Recovering =>
    /\ ~recovered.corrupt
    /\ recovered.at.lsn >= visible.lsn =>
         /\ recovered.at.lsn <= tip.lsn
         /\ recovered.at.map = ReplayedAll(RecordsUpTo(recovered.at.lsn), visible.map)

(* Recovery brings back everything that was answered or observed.                                   *)
NoLostWriteInv == Recovering => recovered.at.lsn >= answered /\ recovered.at.lsn >= observed

(* Every record that recovery replays was written as it is replayed.                                *)
NoInventedWriteInv ==
  Recovering =>
    \A i \in DOMAIN recovered.replayed :
      \A j \in DOMAIN recovered.replayed[i].record :
        recovered.replayed[i].record[j].value \in Values \cup {Absent}

(* Readers and recovery see all writes of a batch or none: the map that whole operations led to.    *)
(* (Whole are all changes but those of which a negative control makes several.)                     *)
BatchAtomicInv ==
  LET Whole(n) == n \in 0 .. Len(chain) /\ (n < Len(chain) => chain[n + 1].part <= 1)
      read == recovered.at.lsn - visible.lsn
  IN /\ Running => Whole(0)
     /\ Recovering /\ read >= 0 =>
          \E n \in {m \in 0 .. Len(chain) : Whole(m)} :
            recovered.at.map = ReplayedAll(RecordsUpTo(visible.lsn + n), visible.map)

(* After a failure nothing more is acknowledged.                                                    *)
FailedAcknowledgesNothingInv ==
  status = "failed" => answered <= visible.lsn /\ observed <= visible.lsn

(* Recovery never replays what an earlier life left behind the log's end.                           *)
StaleTailNeverReplaysInv ==
  Recovering =>
    \A i \in DOMAIN recovered.replayed : recovered.replayed[i].inc = incarnation

--------------------------------------------------------------------------------
(* Properties under Fairness.                                                                       *)

(* Every operation is answered, or throws, or its process dies: no wake-up is lost, no leadership   *)
(* orphaned.                                                                                        *)
EveryWriteIsAnsweredProp == \A w \in Writers : ~At(w, "idle") ~> At(w, "idle")

(* Every committed change becomes visible, unless the store fails or its process dies.              *)
BecomesVisible(lsn) == (status = "open" /\ tip.lsn >= lsn) ~> (status # "open" \/ visible.lsn >= lsn)

--------------------------------------------------------------------------------
(* Refinement.                                                                                      *)

Decided(w) == thread[w].pc \notin {"idle", "invoked"} /\ thread[w].lsn <= visible.lsn

(* (Who closes the store, or only waits, has no operation.)                                         *)
ClientOf(w) ==
  [state  |-> IF thread[w].op.kind = "NONE" THEN "idle"
              ELSE IF Decided(w) THEN "done" ELSE "pending",
   op     |-> thread[w].op,
   result |-> IF Decided(w) THEN thread[w].previous ELSE Absent]

(* Changes that are committed, not visible, and nobody's any more.                                  *)
Ownerless ==
  {i \in DOMAIN chain :
    \A w \in Writers :
      thread[w].pc \in {"idle", "invoked"} \/ thread[w].noop \/ thread[w].lsn # visible.lsn + i}

Limbo ==
  [op \in {chain[i] : i \in Ownerless} |-> Cardinality({i \in Ownerless : chain[i] = op})]

Promise == INSTANCE DurableMap WITH
  Clients <- Writers,
  up      <- Running,
  map     <- visible.map,
  client  <- [w \in Writers |-> ClientOf(w)],
  limbo   <- Limbo,
  seen    <- seen

(* Promise!vars, said without Promise: most steps leave it as it is, and TLC is quick to see it so. *)
promised == <<Running, visible.map, [w \in Writers |-> ClientOf(w)], Limbo, seen>>

(* Every step of the protocol is a step of DurableMap, or nothing that users can see.               *)
RefinesDurableMapProp ==
  Promise!Init /\ [][UNCHANGED promised \/ Promise!Next]_promised
================================================================================
