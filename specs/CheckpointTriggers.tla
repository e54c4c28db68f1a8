--------------------------- MODULE CheckpointTriggers --------------------------
(*******************************************************************************)
(* When checkpoints begin, and who waits for them.                             *)
(*                                                                             *)
(* The log is a row of epochs.  The newest is ACTIVE; it is SEALING while a    *)
(* checkpoint takes it to the image, DURABLE when a slot of the superblock     *)
(* names that checkpoint, and ARCHIVED when its log is gone.  A checkpoint     *)
(* begins when enough was written, when time has passed, or when somebody      *)
(* calls for it.  When the log reaches its hard bound, writers wait until      *)
(* enough of it is archived.  The state, writers and callers are in            *)
(* CheckpointWaiters.                                                          *)
(*                                                                             *)
(* Maps to org.overlaytrie.checkpoint.  Left out: how each step is made        *)
(* durable (WatermarkReclamation).                                             *)
(*******************************************************************************)
EXTENDS CheckpointWaiters

(* The checkpoint.                                                                                  *)

Due ==
  /\ Active.size > 0
  /\ Active.size >= Trigger \/ wanted \/ (\E w \in Writers : Waits(w)) \/ caller.pc = "waiting"

(* One checkpoint at a time begins.  The log goes on in a new segment, so that all of the epoch's   *)
(* can go.                                                                                          *)
CaptureVersion ==
  /\ step = "NONE"
  /\ Due
  /\ step' = "CAPTURED"
  /\ wanted' = FALSE
  /\ epochs' = Append([epochs EXCEPT ![Len(epochs)].state = "SEALING"], Epoch("ACTIVE", 0))
  /\ UNCHANGED <<image, slots, turn, writer, caller>>

(* The epoch's changes are in a durable image.                                                      *)
ForceImage ==
  /\ step = "CAPTURED"
  /\ step' = "FORCED"
  /\ image' = Len(epochs) - 1
  /\ UNCHANGED <<epochs, slots, turn, wanted, writer, caller>>

(* A slot names the checkpoint, durably.                                                            *)
ForceCheckpoint ==
  /\ step = "FORCED" \/ (step = "CAPTURED" /\ ~Kept("ForceImage"))
  /\ step' = "NONE"
  /\ slots' = [slots EXCEPT ![turn] = Len(epochs) - 1]
  /\ turn' = 1 - turn
  /\ epochs' = [epochs EXCEPT ![Len(epochs) - 1].state = "DURABLE"]
  /\ UNCHANGED <<image, wanted, writer, caller>>

(* The other slot names it too, without another checkpoint.                                         *)
ForceClaim ==
  /\ Kept("ClaimFollowsCheckpoint")
  /\ step # "FORCED"
  /\ slots[turn] < slots[1 - turn]
  /\ slots' = [slots EXCEPT ![turn] = slots[1 - turn]]
  /\ turn' = 1 - turn
  /\ UNCHANGED <<epochs, image, step, wanted, writer, caller>>

(* The oldest epoch is ARCHIVED: its log goes.  (Where the log does not go on in a new segment for  *)
(* a checkpoint, it stays until something was written.)                                             *)
DeleteSegment ==
  /\ epochs[1].state = "DURABLE"
  /\ \A p \in Places : slots[p] >= 1 \/ ~Kept("BothSlots")
  /\ Kept("SealAtCapture") \/ epochs[2].size > 0
  /\ epochs' = Tail(epochs)
  /\ image' = image - 1
  /\ slots' = [p \in Places |-> slots[p] - 1]
  /\ caller' = [caller EXCEPT !.covers = Below(@), !.asked = Below(@)]
  /\ UNCHANGED <<turn, step, wanted, writer>>

(* The epoch under way and the one after it are one again.                                          *)
Merged ==
  LET n == Len(epochs) - 1
  IN IF n > 0 /\ epochs[n].state = "SEALING"
     THEN Append(SubSeq(epochs, 1, n - 1), Epoch("ACTIVE", epochs[n].size + Active.size))
     ELSE epochs

(* A checkpoint fails.  Who waited for it waits for one more; who has done that already is refused. *)
(* A call for it throws.                                                                            *)
FailCheckpoint ==
  /\ step # "NONE"
  /\ step' = "NONE"
  /\ epochs' = Merged
  /\ image' = Len(Merged) - 1
  /\ writer' = [w \in Writers |->
                  CASE writer[w] = "slowed" -> "tried"
                    [] writer[w] = "tried" /\ Kept("RefuseAtLast") -> "refused"
                    [] OTHER -> writer[w]]
  /\ caller' = NoCall
  /\ UNCHANGED <<slots, turn, wanted>>

(* The process dies, at any moment, and the store is opened again: both slots name the newest       *)
(* checkpoint, and what it does not cover is replayed.                                              *)
Reopen ==
  /\ epochs' = Merged
  /\ image' = Len(Merged) - 1
  /\ slots' = [p \in Places |-> slots[1 - turn]]
  /\ step' = "NONE" /\ wanted' = FALSE
  /\ writer' = [w \in Writers |-> "idle"]
  /\ caller' = NoCall
  /\ UNCHANGED turn

--------------------------------------------------------------------------------

Init ==
  /\ epochs = <<Epoch("ACTIVE", 0)>>
  /\ image = 0
  /\ slots = [p \in Places |-> 0] /\ turn = 1
  /\ step = "NONE" /\ wanted = FALSE
  /\ writer = [w \in Writers |-> "idle"]
  /\ caller = NoCall

CheckpointStep ==
  \/ CaptureVersion
  \/ ForceImage
  \/ ForceCheckpoint

Next ==
  \/ \E w \in Writers : Admit(w)
  \/ \E w \in Writers : WriteFrame(w)
  \/ \E w \in Writers : SlowWriter(w)
  \/ \E w \in Writers : ResumeWriter(w)
  \/ \E w \in Writers : RefuseWriter(w)
  \/ RequestCheckpoint
  \/ CallCheckpoint
  \/ ReturnFromCall
  \/ EndCall
  \/ CaptureVersion
  \/ ForceImage
  \/ ForceCheckpoint
  \/ ForceClaim
  \/ DeleteSegment
  \/ FailCheckpoint
  \/ Reopen

Spec == Init /\ [][Next]_vars

(* A writer that waits is not passed over for ever when the log is below its bound.                 *)
Fairness ==
  /\ WF_vars(CheckpointStep)
  /\ WF_vars(ForceClaim)
  /\ WF_vars(DeleteSegment)
  /\ WF_vars(ReturnFromCall \/ EndCall)
  /\ \A w \in Writers :
       WF_vars(WriteFrame(w)) /\ WF_vars(RefuseWriter(w)) /\ SF_vars(ResumeWriter(w))

--------------------------------------------------------------------------------
(* Invariants and properties.                                                                       *)

(* Every writer but one may have been admitted at the last moment.                                  *)
MaxLog == Hard - 1 + Cardinality(Writers)

(* The log stays within its bound.                                                                  *)
LogWithinBoundInv == Retained <= MaxLog

(* Whichever slot recovery reads, what it has to replay is there, and within the bound.             *)
RecoveryWithinBoundInv == \A p \in Places : slots[p] >= 0 /\ Behind(slots[p]) <= MaxLog

(* No slot names a checkpoint before its image is durable.                                          *)
NoMetadataBeforeCheckpointInv == \A p \in Places : slots[p] <= image

(* When a call for a checkpoint returns, all that was there when it was made is in a checkpoint.    *)
CalledIsDurableInv ==
  caller.pc = "returned" => \E p \in Places : slots[p] >= caller.asked

(* A writer that waits goes on or is told that checkpoints fail, unless its process dies.           *)
SlowedWriterGoesOnProp == \A w \in Writers : Waits(w) ~> ~Waits(w)

(* A call for a checkpoint ends.                                                                    *)
CallEndsProp == caller.pc = "waiting" ~> caller.pc = "idle"
================================================================================
