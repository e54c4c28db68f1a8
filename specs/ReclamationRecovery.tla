-------------------------- MODULE ReclamationRecovery --------------------------
(*******************************************************************************)
(* Crash at any moment, also during recovery; the loss of a slot; and recovery *)
(* from what is left.                                                          *)
(*                                                                             *)
(* Maps to org.overlaytrie.wal.WriteAheadLog#open, Superblock#read and         *)
(* StoreDirectory#makeDurable.  How the log's tail is made durable is in       *)
(* CommitRecovery.                                                             *)
(*******************************************************************************)
EXTENDS ReclamationSteps

(* What memory held is gone.                                                                        *)
Forget ==
  /\ status' = "down"
  /\ superblock' = Invalid /\ known' = [p \in Places |-> 0] /\ writing' = "NOBODY"
  /\ checkpoint' = Idle /\ addressed' = 0
  /\ recovered' = NothingRead

(* The process or the machine dies, at any moment.  (Of an image that was not forced nothing is     *)
(* left: no slot names it, and none of it is ever used.)                                            *)
Crash ==
  /\ status # "down"
  /\ Forget
  /\ image' = [image EXCEPT !.dirty = {}]
  /\ \/ slots' \in SlotsAfterPowerLoss /\ segments' \in LogsAfterPowerLoss
     \/ slots' \in SlotsAfterKill /\ UNCHANGED segments
  /\ UNCHANGED <<incarnation, visible>>

(* A claim fails, and with it the store, or its recovery.                                           *)
FailClaim ==
  /\ \E by \in {"CLAIM", "REWRITE"} : FailSlot(by)
  /\ IF Running
     THEN /\ status' = "failed"
          /\ writing' = "NOBODY"
          /\ UNCHANGED <<superblock, known, checkpoint, addressed, recovered>>
     ELSE Forget
  /\ UNCHANGED <<incarnation, visible, segments, image>>

(* A slot is damaged while the store is down; the other one is sound.                               *)
LoseSlot(p) ==
  /\ status = "down"
  /\ slots[p].medium # Invalid
  /\ slots[1 - p].medium # Invalid
  /\ ~slots[1 - p].dirty
  /\ slots' = [slots EXCEPT ![p] = Settled(Invalid)]
  /\ UNCHANGED <<status, incarnation, visible, segments, image, memory, recovered>>

(* Whether the store can be opened from this slot and this log, with all up to the LSN in it.       *)
Suffices(content, log, lsn) ==
  /\ 1 .. content.ckpt \subseteq image.durable
  /\ log # <<>>
  /\ Contiguous(log)
  /\ log[1].first <= content.ckpt + 1
  /\ End(log) >= lsn /\ End(log) >= content.ckpt /\ End(log) >= content.claim

(* Recovery reads both slots and the log, and believes the newest slot.                             *)
ReadStore ==
  LET believed == Newer(slots[0].cached, slots[1].cached)
      log == Retained(segments)
  IN /\ status = "down"
     /\ status' = "read"
     /\ recovered' = [end |-> IF log = <<>> THEN 0 ELSE End(log),
                      alone |-> \E p \in Places : slots[p].cached = Invalid,
                      corrupt |-> believed = Invalid \/ ~Suffices(believed, log, 0)]
     /\ superblock' = believed
     /\ addressed' = believed.ckpt
     /\ UNCHANGED <<incarnation, visible, disk, known, writing, checkpoint>>

(* What a process does not know that did not delete them: segments that may come back.              *)
Forgotten ==
  [i \in DOMAIN segments |->
    [segments[i] EXCEPT !.entry = IF @ = "gone" THEN "forgotten" ELSE @]]

(* The log's tail is written again and forced, and the opening frame behind it; the directory is    *)
(* forced too, since a deletion may be in the cache alone.  (SequencedCommit has the steps.)        *)
SecureLog ==
  /\ status = "read"
  /\ ~recovered.corrupt
  /\ status' = "secured"
  /\ incarnation' = incarnation + 1
  /\ LET log == IF Kept("ForceDirectoryAtOpen") THEN Retained(segments) ELSE Forgotten
     IN segments' = [log EXCEPT ![Len(log)].forced = End(log)]
  /\ UNCHANGED <<visible, slots, image, memory, recovered>>

(* The slot that was believed is written again: it may be in the cache alone, and the claim will go *)
(* over the other one.  Unless that is not valid: then this one is all there is.                    *)
RewriteSlot ==
  /\ status = "secured"
  /\ ~recovered.alone \/ ~Kept("SpareTheOnlySlot")
  /\ WriteSlot("REWRITE", superblock)
  /\ UNCHANGED <<status, incarnation, visible, segments, image, superblock, checkpoint, addressed,
                 recovered>>

(* It is durable.                                                                                   *)
ForceRewritten ==
  /\ ForceSlot("REWRITE")
  /\ status' = "confirmed"
  /\ UNCHANGED <<incarnation, visible, segments, image, checkpoint, addressed, recovered>>
================================================================================
