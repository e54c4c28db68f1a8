-------------------------- MODULE WatermarkReclamation -------------------------
(*******************************************************************************)
(* Checkpoints, and what may go of the log once they are durable.              *)
(*                                                                             *)
(* The log is a row of segments.  A checkpoint writes a version to the image   *)
(* and names it in one of two slots of the superblock; which slot is decided   *)
(* by the generation.  The other writers of slots are claims: what of the log  *)
(* is durable, when it is opened and when a segment is sealed.  A segment goes *)
(* when both slots cover it, the oldest first.  Recovery reads the newest      *)
(* slot, takes its image, and replays the log behind it.                       *)
(*                                                                             *)
(* Here: how it begins and goes on, what always holds, and what happens in the *)
(* end.  The state is in ReclamationState, the actions in ReclamationSteps and *)
(* ReclamationRecovery.  An action has the name of the method of               *)
(* org.overlaytrie.spec.ProtocolEvents that the code calls there.  How this    *)
(* goes together with commits, so that DurableMap's promise is kept, is in     *)
(* CheckpointedCommit.                                                         *)
(*******************************************************************************)
EXTENDS ReclamationRecovery

(* A store that was just created, and nobody has opened it.                                         *)
Init ==
  /\ status = "down" /\ incarnation = 0 /\ visible = 0
  /\ segments = <<Segment(1, 1, "kept")>>
  /\ slots = [p \in Places |-> Settled(IF p = 0 THEN Content(0, 0, 0) ELSE Invalid)]
  /\ image = [durable |-> {}, dirty |-> {}]
  /\ superblock = Invalid /\ known = [p \in Places |-> 0] /\ writing = "NOBODY"
  /\ checkpoint = Idle /\ addressed = 0
  /\ recovered = NothingRead

LogStep == WriteFrame \/ ForceLog \/ SealSegment

CheckpointStep ==
  \/ CaptureVersion
  \/ WriteImage
  \/ ForceImage
  \/ InstallAddresses
  \/ PublishCheckpoint
  \/ ForceCheckpoint

RecoveryStep == ReadStore \/ SecureLog \/ RewriteSlot \/ ForceRewritten

Next ==
  \/ LogStep
  \/ CheckpointStep
  \/ FailCheckpoint
  \/ WriteClaim
  \/ ForceClaim
  \/ FailClaim
  \/ DeleteSegment
  \/ ForceDirectory
  \/ Crash
  \/ \E p \in Places : LoseSlot(p)
  \/ RecoveryStep

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------
(* Invariants.                                                                                      *)

Readable == UNION {Outcomes(slots[p]) : p \in Places} \ {Invalid}

(* The segments that are left, now or after any crash, have no gap.                                 *)
RetainedIsContiguousInv ==
  Contiguous(Retained(segments)) /\ \A log \in LogsAfterPowerLoss : Contiguous(log)

(* What is gone lies at or below the LSN of a checkpoint that was published.                        *)
ReclaimBelowBoundInv ==
  \E content \in Readable \cup {slots[p].cached : p \in Places} : Reclaimed(segments) <= content.ckpt

(* Whatever slot recovery would believe after a crash now, the log behind its checkpoint is there.  *)
NoNeededRecordReclaimedInv ==
  \A a \in Outcomes(slots[0]), b \in Outcomes(slots[1]) :
    Newer(a, b) # Invalid => Reclaimed(segments) <= Newer(a, b).ckpt

(* No slot that recovery could read claims more than is durable.                                    *)
ClaimIsDurableInv == \A content \in Readable : content.claim <= DurableLsn

(* Each slot that can be read, now or after any crash, is enough to recover all that is visible.    *)
EitherSlotSufficesInv ==
  \A content \in Readable, log \in LeastLogs : Suffices(content, log, visible)

(* Recovery brings back all that was visible, and never judges a crash or the loss of a slot to be  *)
(* corruption.                                                                                      *)
RecoveredEqualsVisibleInv ==
  status = "read" => ~recovered.corrupt /\ recovered.end >= visible

--------------------------------------------------------------------------------
(* Liveness.                                                                                        *)

(* Checkpoints are begun and go on, what is due is claimed, and what may go is deleted.             *)
Fairness ==
  /\ WF_vars(CheckpointStep)
  /\ WF_vars(WriteClaim \/ ForceClaim)
  /\ WF_vars(DeleteSegment \/ ForceDirectory)

(* Each segment that the log has left behind goes in the end, unless the store fails or goes down.  *)
LogStaysBounded(number) ==
  (status = "open" /\ Last(segments).number > number)
    ~> (status # "open" \/ \A i \in DOMAIN segments : segments[i].number > number)
================================================================================
