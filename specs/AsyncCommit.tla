------------------------------ MODULE AsyncCommit ------------------------------
(*******************************************************************************)
(* The commit protocol with operations whose callers do not wait.  A caller    *)
(* commits as always, leaves a stage behind in its place and goes on.  The     *)
(* stage is completed when the operation's LSN is visible.  Threads may also   *)
(* wait for an LSN without an operation of their own: the one that completes   *)
(* the stages does, and whoever calls sync().                                  *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit: AsyncWrites, SequencedCommit#sync.  A stage *)
(* is a thread that only waits: it takes the place of its caller, so all that  *)
(* SequencedCommit says of threads holds for it.  Left out: the order in which *)
(* stages are completed, and the limit of their number, which lets a caller    *)
(* wait before it invokes anything (AsyncWritesTest).                          *)
(*******************************************************************************)
EXTENDS SequencedCommit

CONSTANT Stages  \* those of the writers that are stages

ASSUME StagesAreWriters == Stages \subseteq Writers

Callers == Writers \ Stages

(* The caller leaves a stage in its place and goes on.  (If too much was unforced, it has waited    *)
(* before.)                                                                                         *)
LeaveStage(w, s) ==
  /\ Running
  /\ At(w, "await") \/ (MayLeave(w) /\ (thread[w].lsn <= visible.lsn \/ status = "failed"))
  /\ ~Closing(w)
  /\ At(s, "idle")
  /\ thread' = [thread EXCEPT ![s] = [thread[w] EXCEPT !.pc = "stage"], ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The stage's LSN is visible: the stage is completed with the operation's result.                  *)
CompleteStage(s) ==
  LET t == thread[s]
  IN /\ Running
     /\ At(s, "stage")
     /\ t.lsn <= visible.lsn \/ ~Kept("StageWaits")
     /\ thread' = [thread EXCEPT ![s] = IdleThread]
     /\ answered' = IF t.noop THEN answered ELSE Maximum(answered, t.lsn)
     /\ observed' = IF t.noop THEN Maximum(observed, t.lsn) ELSE observed
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, seen>>

(* The stage is completed exceptionally, because the store has failed and its LSN is not visible.   *)
FailStage(s) ==
  /\ status = "failed"
  /\ At(s, "stage")
  /\ thread[s].lsn > visible.lsn
  /\ thread' = [thread EXCEPT ![s] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A thread without an operation begins to wait until an LSN is visible that was committed; it is   *)
(* answered as a thread is whose operation changes nothing.                                         *)
RequestSync(w, lsn) ==
  /\ Running
  /\ At(w, "idle")
  /\ lsn <= tip.lsn
  /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = lsn, ![w].noop = TRUE]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

StageStep(s) ==
  \/ CompleteStage(s)
  \/ FailStage(s)

AsyncNext ==
  \/ \E w \in Callers : \E op \in Operations : Invoke(w, op)
  \/ \E w \in Callers : ThreadStep(w)
  \/ \E w \in Callers : \E s \in Stages : LeaveStage(w, s)
  \/ \E w \in Callers : RequestSync(w, tip.lsn) \/ \E s \in Stages : RequestSync(w, thread[s].lsn)
  \/ \E s \in Stages : StageStep(s)
  \/ \E w \in Callers : Withdraw(w) \/ FailStore(w) \/ CloseTip(w)
  \/ ReadVisible
  \/ Crash
  \/ RecoveryStep

AsyncSpec == Init /\ [][AsyncNext]_vars

--------------------------------------------------------------------------------

(* A stage is completed only when readers see what it stands for, and after a failure never with a  *)
(* result.                                                                                          *)
CompletedIsVisibleInv == Running => answered <= visible.lsn /\ observed <= visible.lsn
================================================================================
