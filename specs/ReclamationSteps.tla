---------------------------- MODULE ReclamationSteps ---------------------------
(*******************************************************************************)
(* What the log's writer, the checkpoint under way and the reclamation of the  *)
(* log do while the store is open.                                             *)
(*                                                                             *)
(* Maps to org.overlaytrie.wal.WriteAheadLog, org.overlaytrie.checkpoint and   *)
(* org.overlaytrie.wal.Superblock.  Left out: what SequencedCommit has         *)
(* (frames, batches, a log that fails); that a new segment and its seal are    *)
(* durable in two steps, with a crash in between (ExhaustiveCrashTest); image  *)
(* segments, of which a checkpoint that fails and an open begin a new one; the *)
(* reclamation of these.                                                       *)
(*******************************************************************************)
EXTENDS ReclamationState

(* The log's writer.                                                                                *)

(* A record is written at the log's end; not before what was sealed is claimed.                     *)
WriteFrame ==
  /\ status = "open"
  /\ writing # "CLAIM"
  /\ superblock.claim >= Last(segments).first - 1
  /\ segments' = [segments EXCEPT ![Len(segments)].last = @ + 1]
  /\ UNCHANGED <<status, incarnation, visible, slots, image, memory, recovered>>

(* The log is forced, and readers see it.                                                           *)
ForceLog ==
  /\ status = "open"
  /\ writing # "CLAIM"
  /\ DurableLsn < End(segments)
  /\ segments' = [segments EXCEPT ![Len(segments)].forced = End(segments)]
  /\ visible' = End(segments)
  /\ UNCHANGED <<status, incarnation, slots, image, memory, recovered>>

(* The log goes on in a new segment, which was created durably, and the old one, all forced, is     *)
(* sealed.                                                                                          *)
SealSegment ==
  /\ status = "open"
  /\ writing # "CLAIM"
  /\ Last(segments).first <= DurableLsn
  /\ DurableLsn = End(segments)
  /\ segments' = Append(segments, Segment(Last(segments).number + 1, End(segments) + 1,
                                          IF Kept("ForceEntry") THEN "kept" ELSE "new"))
  /\ UNCHANGED <<status, incarnation, visible, slots, image, memory, recovered>>

--------------------------------------------------------------------------------
(* Writing slots: one at a time, of the generation after the newest known to be durable.            *)

WriteSlot(by, content) ==
  /\ writing = "NOBODY"
  /\ writing' = by
  /\ LET p == Place(content.gen)
     IN slots' = [slots EXCEPT ![p].cached = content, ![p].dirty = TRUE]
  /\ UNCHANGED known

ForceSlot(by) ==
  LET p == Place(superblock.gen + IF by = "REWRITE" THEN 0 ELSE 1)
  IN /\ writing = by
     /\ writing' = "NOBODY"
     /\ slots' = [slots EXCEPT ![p] = Settled(@.cached)]
     /\ superblock' = slots[p].cached
     /\ known' = [known EXCEPT ![p] = slots[p].cached.ckpt]

(* A write of a slot fails and leaves a part, or its force fails: the page counts as clean, and     *)
(* what the medium holds is anybody's guess.  Nothing is remembered of it: the next attempt takes   *)
(* the same place again.                                                                            *)
FailSlot(by) ==
  LET p == Place(superblock.gen + IF by = "REWRITE" THEN 0 ELSE 1)
  IN /\ writing = by
     /\ \/ slots' = [slots EXCEPT ![p].cached = Invalid]
        \/ \E left \in Outcomes(slots[p]) :
             slots' = [slots EXCEPT ![p].medium = left, ![p].dirty = FALSE]

(* The log's writer has something to claim: a sealed segment, or a new checkpoint, which the other  *)
(* slot is to hold too.  Else the bound would wait for the next checkpoint.                         *)
ClaimIsDue ==
  \/ superblock.claim < Last(segments).first - 1
  \/ known[1 - Place(superblock.gen)] < superblock.ckpt /\ Kept("ClaimFollowsCheckpoint")

(* It claims what it has forced; the newest checkpoint is carried along.  So it does at every open. *)
(* (At closing too, which is no different.)                                                         *)
WriteClaim ==
  /\ \/ status = "open" /\ ClaimIsDue
     \/ status = "confirmed"
     \/ status = "secured" /\ (recovered.alone \/ ~Kept("RewriteBelieved"))
  /\ WriteSlot("CLAIM", Content(superblock.gen + 1, superblock.ckpt,
                                IF Kept("ClaimAfterForce") THEN DurableLsn ELSE End(segments)))
  /\ UNCHANGED <<status, incarnation, visible, segments, image, superblock, checkpoint, addressed,
                 recovered>>

(* The claim is durable.  The one of an open is its last step: operations may begin.                *)
ForceClaim ==
  /\ ForceSlot("CLAIM")
  /\ status' = IF Running THEN status ELSE "open"
  /\ visible' = IF Running THEN visible ELSE recovered.end
  /\ UNCHANGED <<incarnation, segments, image, checkpoint, addressed, recovered>>

--------------------------------------------------------------------------------
(* The checkpoint.  Writers go on all the while.                                                    *)

AtStep(step) == Running /\ checkpoint.step = step
GoOn(step)   == checkpoint' = [checkpoint EXCEPT !.step = step]

(* One read of the visible version: its map and its LSN.  (If that is in the image already, there   *)
(* is nothing to do.)                                                                               *)
CaptureVersion ==
  /\ status = "open"
  /\ visible > superblock.ckpt
  /\ checkpoint = Idle
  /\ checkpoint' = [step |-> "CAPTURED", lsn |-> visible]
  /\ UNCHANGED <<status, incarnation, visible, disk, superblock, known, writing, addressed,
                 recovered>>

(* The nodes that have no address yet are written.                                                  *)
WriteImage ==
  /\ AtStep("CAPTURED")
  /\ GoOn("WRITTEN")
  /\ image' = [image EXCEPT !.dirty = addressed + 1 .. checkpoint.lsn]
  /\ UNCHANGED <<status, incarnation, visible, segments, slots, superblock, known, writing,
                 addressed, recovered>>

(* The image is forced, with its directory entry.                                                   *)
ForceImage ==
  /\ AtStep("WRITTEN")
  /\ GoOn("FORCED")
  /\ image' = IF Kept("ForceImage")
              THEN [durable |-> image.durable \cup image.dirty, dirty |-> {}]
              ELSE image
  /\ UNCHANGED <<status, incarnation, visible, segments, slots, superblock, known, writing,
                 addressed, recovered>>

(* The nodes get their addresses: later checkpoints need not write them.                            *)
InstallAddresses ==
  /\ AtStep("FORCED") \/ (AtStep("WRITTEN") /\ ~Kept("InstallForced") /\ addressed < checkpoint.lsn)
  /\ IF AtStep("FORCED") THEN GoOn("INSTALLED") ELSE UNCHANGED checkpoint
  /\ addressed' = checkpoint.lsn
  /\ UNCHANGED <<status, incarnation, visible, disk, superblock, known, writing, recovered>>

(* The checkpoint is written to a slot; the newest claim is carried along.                          *)
PublishCheckpoint ==
  /\ AtStep("INSTALLED")
  /\ GoOn("PUBLISHED")
  /\ WriteSlot("CHECKPOINT", Content(superblock.gen + 1, checkpoint.lsn, superblock.claim))
  /\ UNCHANGED <<status, incarnation, visible, segments, image, superblock, addressed, recovered>>

(* It is durable.                                                                                   *)
ForceCheckpoint ==
  /\ ForceSlot("CHECKPOINT")
  /\ checkpoint' = Idle
  /\ UNCHANGED <<status, incarnation, visible, segments, image, addressed, recovered>>

(* A step of it fails.  What was there before is as it was.                                         *)
FailCheckpoint ==
  /\ checkpoint # Idle
  /\ IF writing = "CHECKPOINT" THEN FailSlot("CHECKPOINT") ELSE UNCHANGED slots
  /\ writing' = IF writing = "CHECKPOINT" THEN "NOBODY" ELSE writing
  /\ checkpoint' = Idle
  /\ image' = [image EXCEPT !.dirty = {}]
  /\ UNCHANGED <<status, incarnation, visible, segments, superblock, known, addressed, recovered>>

--------------------------------------------------------------------------------
(* Reclamation.                                                                                     *)

(* Both slots hold a checkpoint at or above the bound, for sure.                                    *)
Bound ==
  CASE ~Kept("BothSlots") -> superblock.ckpt
    [] ~Kept("ForceBeforeReclaim") /\ writing = "CHECKPOINT" -> checkpoint.lsn
    [] ~Kept("BoundIsCheckpoint") -> DurableLsn
    [] OTHER -> Minimum(known[0], known[1])

MayDelete(s) == s.last <= Bound /\ s.entry \in {"kept", "new"} /\ s # Last(segments)

(* The oldest segment goes, if the bound covers it, and once the directory has forgotten the one    *)
(* before.                                                                                          *)
DeleteSegment ==
  /\ Running
  /\ Kept("ForceDirectory") => \A i \in DOMAIN segments : segments[i].entry # "gone"
  /\ \E i \in DOMAIN segments :
       /\ MayDelete(segments[i])
       /\ \A j \in DOMAIN segments \ {i} :
            MayDelete(segments[j]) => IF Kept("OldestFirst") THEN j > i ELSE j < i
       /\ segments' = [segments EXCEPT ![i].entry = "gone"]
  /\ UNCHANGED <<status, incarnation, visible, slots, image, memory, recovered>>

(* The directory is forced: what was deleted stays so.  (If this fails, nothing more is deleted.)   *)
ForceDirectory ==
  /\ Running
  /\ Retained(segments) # segments
  /\ segments' = Retained(segments)
  /\ UNCHANGED <<status, incarnation, visible, slots, image, memory, recovered>>
================================================================================
