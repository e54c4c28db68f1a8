-------------------------- MODULE MCCheckpointedCommit --------------------------
(*******************************************************************************)
(* CheckpointedCommit within bounds that TLC can exhaust: those of             *)
(* MCSequencedCommit, which has readers, operations that change nothing, and   *)
(* closing, so that they need not be repeated here.  Of the failures of the    *)
(* log there is that of a force, which leaves most behind.                     *)
(*******************************************************************************)
EXTENDS MCSequencedCommit, CheckpointedCommit

CONSTANT
  MaxGeneration  \* 3: the first change is in both slots, and its record goes; the second is written
                 \*    meanwhile, and recovery replays it on the image of the first.
                 \* 4: the next checkpoint is torn when one record is gone

MCRewriteTail      == RewriteTail /\ logged
MCBeginIncarnation == MCOpenIncarnation /\ logged
MCFinishRecovery   == FinishRecovery /\ logged

MCCheckpointedNext ==
  \/ \E w \in Writers : \E op \in Operations : MCInvoke(w, op) /\ logged
  \/ \E w \in Writers : CommitVersion(w) /\ logged
  \/ \E w \in Writers : Answer(w) /\ logged
  \/ \E w \in Writers : AnswerFailure(w) /\ logged
  \/ \E w \in Writers : BecomeLeader(w) /\ logged
  \/ \E w \in Writers : Enqueue(w) /\ logged
  \/ \E w \in Writers : RecheckVisible(w) /\ logged
  \/ \E w \in Writers : Park(w) /\ logged
  \/ \E w \in Writers : CollectBatch(w) /\ logged
  \/ \E w \in Writers : \E last \in flush.written + 1 .. flush.end.lsn : WriteFrame(w, last) /\ logged
  \/ \E w \in Writers : ForceLog(w) /\ logged
  \/ \E w \in Writers : MakeVisible(w) /\ logged
  \/ \E w \in Writers : DrainWaiters(w) /\ logged
  \/ \E w \in Writers : \E waiter \in pending : WakeServed(w, waiter) /\ logged
  \/ \E w \in Writers : \E waiter \in pending : HandOver(w, waiter) /\ logged
  \/ \E w \in Writers : ReleaseLeadership(w) /\ logged
  \/ \E w \in Writers : RecheckTip(w) /\ logged
  \/ \E w \in Writers : BatchIsWritten(w) /\ MCFailStore(w) /\ logged
  \/ CaptureVersion
  \/ ForceImage
  \/ newest.gen < MaxGeneration /\ PublishCheckpoint
  \/ ForceCheckpoint
  \/ FailCheckpoint
  \/ \E lsn \in gone + 1 .. base.lsn : DeleteSegment(lsn)
  \/ CrashStore
  \/ ReadStore
  \/ MCRewriteTail
  \/ ForceTailAndSlot
  \/ MCBeginIncarnation
  \/ MCFinishRecovery
  \/ FailRecoveryOfStore

MCCheckpointedSpec == StoreInit /\ [][MCCheckpointedNext]_storeVars

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* Recovery replays a record on an image whose own records are gone from the log.                   *)
NeverReplaysOnAnImageInv ==
  ~(status = "read" /\ ~recovered.corrupt /\ gone > 0 /\ newest.lsn < recovered.at.lsn)

(* While a version is taken to the image, the next one becomes visible.                             *)
NeverFallsBehindInv ==
  ~(checkpoint.step = "FORCED" /\ checkpoint.lsn > 0 /\ visible.lsn > checkpoint.lsn)
================================================================================
