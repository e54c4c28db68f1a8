--------------------------- MODULE CheckpointedCommit ---------------------------
(*******************************************************************************)
(* The commit protocol with checkpoints: while threads write, one at a time    *)
(* takes what is visible to an image and names it in the superblock, and the   *)
(* log that both slots cover goes.  Recovery begins with the image of the      *)
(* newest slot and replays only the records behind its LSN.                    *)
(*                                                                             *)
(* So `base` of CommitState is here what it would be if nothing ever went: the *)
(* truth to compare with.  What is left of the log before it is in `kept`.     *)
(*                                                                             *)
(* Maps to org.overlaytrie.checkpoint, commit and wal.  Left out, and found in *)
(* WatermarkReclamation: segments and their directory entries (the log may be  *)
(* cut behind any record that is durable for good), claims, how an image is    *)
(* written in parts, the loss of a slot, and the steps in which recovery       *)
(* writes one.                                                                 *)
(*******************************************************************************)
EXTENDS SequencedCommit

VARIABLES
  kept,       \* the records before `base` that are still in the log
  gone,       \* the LSN of the last record that is not
  slots,      \* of the superblock: what a reader sees, what the medium holds, what a force would do
  newest,     \* in memory: what the newest slot holds that is known to be durable
  known,      \* in memory: the checkpoint LSN that each slot is known to hold durably
  checkpoint  \* in memory: the version that is being taken to the image, and how far that is

checkpointing == <<slots, newest, known, checkpoint>>
storeVars     == <<vars, kept, gone, checkpointing>>

Places == {0, 1}

(* `sure` says that the image which the slot names is durable.                                      *)
Named(gen, lsn, map, sure) == [gen |-> gen, lsn |-> lsn, map |-> map, sure |-> sure]

Invalid    == Named(0, 0, EmptyMap, TRUE)
Place(gen) == gen % 2
NextPlace  == Place(newest.gen + 1)

Same(named)   == [cached |-> named, medium |-> named, dirty |-> FALSE]
Newer(a, b)   == IF a.gen > b.gen THEN a ELSE b
Minimum(a, b) == IF a < b THEN a ELSE b

(* What a slot leads to after a power loss, which leaves nothing of an image that was not forced.   *)
Found(named)   == IF named.sure THEN named ELSE [named EXCEPT !.map = EmptyMap, !.sure = TRUE]
Outcomes(slot) == {Found(slot.medium)} \cup IF slot.dirty THEN {Found(slot.cached), Invalid} ELSE {}

NoCheckpoint == [step |-> "NONE", lsn |-> 0, map |-> EmptyMap]

--------------------------------------------------------------------------------
(* The log.                                                                                         *)

RECURSIVE AllRecords(_)
AllRecords(frames) ==
  IF frames = <<>> THEN <<>> ELSE RecordsIn(Head(frames)) \o AllRecords(Tail(frames))

(* What goes with a step of SequencedCommit: the records that it moves to the base are kept.        *)
logged ==
  /\ kept' = IF base' = base THEN kept ELSE kept \o AllRecords(DurableFrames)
  /\ UNCHANGED <<gone, checkpointing>>

(* The map that an image and these records, the first of them behind the reclaimed, lead to.        *)
MapFrom(named, records) ==
  ReplayedAll(From(records, named.lsn - gone + 1), named.map)

(* The log is cut behind a record that both slots cover.                                            *)
DeleteSegment(lsn) ==
  LET bound == CASE ~Kept("ForceBeforeReclaim") /\ checkpoint.step = "PUBLISHED" -> checkpoint.lsn
                 [] OTHER -> Minimum(known[0], known[1])
  IN /\ Running
     /\ gone < lsn /\ lsn <= bound /\ lsn <= base.lsn
     /\ gone' = lsn
     /\ kept' = From(kept, lsn - gone + 1)
     /\ UNCHANGED <<vars, checkpointing>>

--------------------------------------------------------------------------------
(* The checkpoint.                                                                                  *)

(* One read of the visible version.  (A second checkpoint of the same version brings the other slot *)
(* up to date, as a claim does.)                                                                    *)
CaptureVersion ==
  LET version == IF Kept("CaptureVisible") THEN visible ELSE tip
  IN /\ status = "open"
     /\ checkpoint = NoCheckpoint
     /\ version.lsn > Minimum(known[0], known[1])
     /\ checkpoint' = [step |-> "CAPTURED", lsn |-> version.lsn, map |-> version.map]
     /\ UNCHANGED <<vars, kept, gone, slots, newest, known>>

(* Its image is written and forced.                                                                 *)
ForceImage ==
  /\ Running
  /\ checkpoint.step = "CAPTURED"
  /\ checkpoint' = [checkpoint EXCEPT !.step = "FORCED"]
  /\ UNCHANGED <<vars, kept, gone, slots, newest, known>>

(* The slot that does not hold the newest checkpoint is written.                                    *)
PublishCheckpoint ==
  /\ Running
  /\ checkpoint.step = "FORCED" \/ (checkpoint.step = "CAPTURED" /\ ~Kept("ForceImage"))
  /\ checkpoint' = [checkpoint EXCEPT !.step = "PUBLISHED"]
  /\ LET sure == checkpoint.step = "FORCED"
         named == Named(newest.gen + 1, checkpoint.lsn, checkpoint.map, sure)
     IN slots' = [slots EXCEPT ![NextPlace].cached = named, ![NextPlace].dirty = TRUE]
  /\ UNCHANGED <<vars, kept, gone, newest, known>>

(* It is durable.                                                                                   *)
ForceCheckpoint ==
  LET named == slots[NextPlace].cached
  IN /\ Running
     /\ checkpoint.step = "PUBLISHED"
     /\ checkpoint' = NoCheckpoint
     /\ slots' = [slots EXCEPT ![NextPlace] = Same(named)]
     /\ newest' = named
     /\ known' = [known EXCEPT ![NextPlace] = named.lsn]
     /\ UNCHANGED <<vars, kept, gone>>

(* A step of it fails: what the slot holds is anybody's guess, if it was written.                   *)
FailCheckpoint ==
  /\ Running
  /\ checkpoint # NoCheckpoint
  /\ checkpoint' = NoCheckpoint
  /\ IF checkpoint.step = "PUBLISHED"
     THEN \E left \in Outcomes(slots[NextPlace]) :
            slots' = [slots EXCEPT ![NextPlace].medium = left, ![NextPlace].dirty = FALSE]
     ELSE UNCHANGED slots
  /\ UNCHANGED <<vars, kept, gone, newest, known>>

--------------------------------------------------------------------------------
(* Crash and recovery, with a superblock.                                                           *)

(* What memory held is gone; what is on disk is not.                                                *)
forgotten ==
  /\ newest' = Invalid
  /\ known' = [p \in Places |-> 0]
  /\ checkpoint' = NoCheckpoint
  /\ UNCHANGED <<kept, gone>>

(* What a crash leaves of a slot: a kill what was written, though a page that counts as clean may   *)
(* be read anew.                                                                                    *)
Leftovers(slot) == {slot} \cup {Same(named) : named \in Outcomes(slot)}

(* The process or the machine dies.                                                                 *)
CrashStore ==
  /\ Crash
  /\ \E a \in Leftovers(slots[0]), b \in Leftovers(slots[1]) :
       slots' = [p \in Places |-> IF p = 0 THEN a ELSE b]
  /\ forgotten

(* Recovery reads the slots and the log, and replays what the newest image does not hold.           *)
ReadStore ==
  LET named == Newer(slots[0].cached, slots[1].cached)
      read == LogAsRead
      records == kept \o [i \in DOMAIN read.replayed |-> read.replayed[i].record]
      sound == named # Invalid /\ gone <= named.lsn /\ named.lsn <= read.at.lsn
  IN /\ status = "down"
     /\ status' = "read"
     /\ recovered' = IF sound
                     THEN [read EXCEPT !.at.map = MapFrom(named, records)]
                     ELSE [read EXCEPT !.corrupt = TRUE]
     /\ newest' = named
     /\ known' = [p \in Places |-> slots[p].cached.lsn]
     /\ UNCHANGED <<incarnation, memory, thread, leading, disk, told, kept, gone, slots, checkpoint>>

(* The slot that was believed is written again and forced, like the log's tail.                     *)
ForceTailAndSlot ==
  /\ ForceTail
  /\ slots' = [slots EXCEPT ![Place(newest.gen)] = Same(@.cached)]
  /\ UNCHANGED <<kept, gone, newest, known, checkpoint>>

(* A force of recovery fails.                                                                       *)
FailRecoveryOfStore ==
  /\ FailRecovery
  /\ UNCHANGED slots
  /\ forgotten

--------------------------------------------------------------------------------

StoreInit ==
  /\ Init
  /\ kept = <<>> /\ gone = 0
  /\ slots = [p \in Places |-> Same(IF p = 1 THEN Named(1, 0, EmptyMap, TRUE) ELSE Invalid)]
  /\ newest = Invalid /\ known = [p \in Places |-> 0]
  /\ checkpoint = NoCheckpoint

CheckpointStep ==
  \/ CaptureVersion
  \/ ForceImage
  \/ PublishCheckpoint
  \/ ForceCheckpoint
  \/ FailCheckpoint
  \/ \E lsn \in gone + 1 .. base.lsn : DeleteSegment(lsn)

StoreNext ==
  \/ \E w \in Writers : \E op \in Operations : Invoke(w, op) /\ logged
  \/ \E w \in Writers : (ThreadStep(w) \/ Withdraw(w) \/ FailStore(w) \/ CloseTip(w)) /\ logged
  \/ (ReadVisible \/ RewriteTail \/ OpenIncarnation \/ FinishRecovery) /\ logged
  \/ CheckpointStep
  \/ CrashStore
  \/ ReadStore
  \/ ForceTailAndSlot
  \/ FailRecoveryOfStore

StoreSpec == StoreInit /\ [][StoreNext]_storeVars

--------------------------------------------------------------------------------
(* Invariants, besides those of SequencedCommit.                                                    *)

Readable == UNION {Outcomes(slots[p]) : p \in Places} \ {Invalid}

(* The image of each slot that can be read, now or after any crash, and the log behind it make the  *)
(* map that the whole log would make.                                                               *)
ImageAndLogAgreeInv ==
  Running =>
    \A named \in Readable :
      /\ gone <= named.lsn /\ named.lsn <= Secured.lsn
      /\ MapFrom(named, kept \o AllRecords(DurableFrames)) = Secured.map
================================================================================
