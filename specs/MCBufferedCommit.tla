---------------------------- MODULE MCBufferedCommit ----------------------------
(*******************************************************************************)
(* BufferedCommit within bounds that TLC can exhaust: those of                 *)
(* MCSequencedCommit, where stages count among the writers and come last.  Two *)
(* changes: a sync of the first while the second is committed, a flush of both *)
(* in two frames of which a crash keeps one.  Three, in one life without       *)
(* mishap: more than may stay unforced.                                        *)
(*******************************************************************************)
EXTENDS MCSequencedCommit, BufferedCommit

ASSUME StagesComeLast == \A w \in Callers, s \in Stages : w < s

(* Only who must waits: a writer that waits without need is like one that asks for a sync.          *)
MayWait(w) ==
  \/ ~At(w, "await")
  \/ thread[w].op.kind = "NONE"
  \/ Len(chain) >= MaxUnforced
  \/ status = "failed"

(* A sync takes the place of a change, as an operation does that changes nothing.                   *)
MayRequestSync(w) ==
  /\ tip.lsn > visible.lsn
  /\ tip.lsn + Cardinality({v \in Writers : thread[v].noop}) < MaxLsn
  /\ \A v \in Callers : v < w /\ At(v, "idle") => LeftBehind(v) # LeftBehind(w)

(* One thread at a time waits for a stage, if the stage has something to wait for.                  *)
MayAwaitStage(w, s) ==
  /\ At(s, "stage")
  /\ thread[s].lsn > visible.lsn
  /\ \A v \in Callers : ~Syncing(v)
  /\ \A v \in Callers : v < w /\ At(v, "idle") => LeftBehind(v) # LeftBehind(w)

MCBecomeLeader(w) == MayWait(w) /\ BecomeLeader(w)
MCEnqueue(w)      == MayWait(w) /\ Enqueue(w)

(* (Only syncs leave stages: what others would leave would be completed at once.)                   *)
MCLeaveStage(w, s) == At(w, "await") /\ Syncing(w) /\ LeaveStage(w, s)
MCRequestSync(w)   == MayRequestSync(w) /\ RequestSync(w, tip.lsn)
MCAwaitStage(w, s) == MayAwaitStage(w, s) /\ RequestSync(w, thread[s].lsn)

(* (When readers read has no consequences.)                                                         *)
MCReadTip == Reads /\ tip.lsn = MaxLsn /\ (\A w \in Callers : At(w, "idle")) /\ ReadTip

MCBufferedNext ==
  \/ \E w \in Callers : \E op \in Operations : MCInvoke(w, op)
  \/ \E w \in Callers : BufferedThreadStep(w)
  \/ \E w \in Callers : MCBecomeLeader(w)
  \/ \E w \in Callers : MCEnqueue(w)
  \/ \E w \in Callers : \E s \in Stages : MCLeaveStage(w, s)
  \/ \E w \in Callers : MCRequestSync(w)
  \/ \E w \in Callers : \E s \in Stages : MCAwaitStage(w, s)
  \/ \E s \in Stages : CompleteStage(s)
  \/ \E s \in Stages : FailStage(s)
  \/ \E w \in Callers : MCWithdraw(w)
  \/ \E w \in Callers : MCFailStore(w)
  \/ \E w \in Callers : MCCloseTip(w)
  \/ MCReadTip
  \/ MCCrash
  \/ ReadLog
  \/ RewriteTail
  \/ ForceTail
  \/ MCOpenIncarnation
  \/ FinishRecovery
  \/ MCFailRecovery

MCBufferedSpec   == Init /\ [][MCBufferedNext]_vars
BufferedLiveSpec == MCBufferedSpec /\ BufferedFairness

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* A crash takes back a change whose operation was answered, and which a reader saw.                *)
NeverTakesBackInv ==
  Recovering => ~(recovered.at.lsn < tip.lsn /\ seen = tip.map /\ \A w \in Writers : At(w, "idle"))

(* A writer has to wait because too much is unforced.                                               *)
NeverPushesBackInv == \A w \in Callers : ~(At(w, "parked") /\ thread[w].op.kind # "NONE" /\ ~Closing(w))
================================================================================
