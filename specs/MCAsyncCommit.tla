----------------------------- MODULE MCAsyncCommit -----------------------------
(*******************************************************************************)
(* AsyncCommit within bounds that TLC can exhaust: those of MCSequencedCommit, *)
(* where stages count among the writers and come last.  One stage: a caller    *)
(* leaves it, commits again and waits itself, and the thread that waits for    *)
(* the stage is handed the leadership or hands it over.                        *)
(*******************************************************************************)
EXTENDS MCSequencedCommit, AsyncCommit

ASSUME StagesComeLast == \A w \in Callers, s \in Stages : w < s

(* One thread at a time waits for a stage, if the stage has something to wait for.                  *)
MayRequestSync(w, lsn) ==
  /\ lsn > visible.lsn
  /\ \A v \in Callers : thread[v].op.kind = "NONE" => At(v, "idle") \/ Closing(v)
  /\ \A v \in Callers : v < w /\ At(v, "idle") => LeftBehind(v) # LeftBehind(w)

MCLeaveStage(w, s)    == At(w, "await") /\ LeaveStage(w, s)
MCRequestSync(w, lsn) == MayRequestSync(w, lsn) /\ RequestSync(w, lsn)

(* (What readers do has no consequences here, and MCSequencedCommit lets them do all of it.)        *)
MCLateReadVisible == (\A w \in Callers : At(w, "idle")) /\ MCReadVisible

MCAsyncNext ==
  \/ \E w \in Callers : \E op \in Operations : MCInvoke(w, op)
  \/ \E w \in Callers : ThreadStep(w)
  \/ \E w \in Callers : \E s \in Stages : MCLeaveStage(w, s)
  \/ \E w \in Callers : \E s \in Stages : At(s, "stage") /\ MCRequestSync(w, thread[s].lsn)
  \/ \E s \in Stages : CompleteStage(s)
  \/ \E s \in Stages : FailStage(s)
  \/ \E w \in Callers : MCWithdraw(w)
  \/ \E w \in Callers : MCFailStore(w)
  \/ \E w \in Callers : MCCloseTip(w)
  \/ MCLateReadVisible
  \/ MCCrash
  \/ ReadLog
  \/ RewriteTail
  \/ ForceTail
  \/ MCOpenIncarnation
  \/ FinishRecovery
  \/ MCFailRecovery

MCAsyncSpec == Init /\ [][MCAsyncNext]_vars

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* A crash takes an operation whose stage was not completed.                                        *)
NeverLosesAStageInv ==
  ~(Recovering /\ recovered.at.lsn < tip.lsn /\ tip.lsn = 2 /\ answered < tip.lsn)

(* The thread that waits for a stage is handed the leadership.                                      *)
NeverLeadsForAStageInv ==
  \A w \in Callers :
    ~(thread[w].flag = "PROMOTED" /\ thread[w].op.kind = "NONE" /\ ~Closing(w))
================================================================================
