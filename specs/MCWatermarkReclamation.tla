------------------------- MODULE MCWatermarkReclamation -------------------------
(*******************************************************************************)
(* WatermarkReclamation within bounds that TLC can exhaust, and states that    *)
(* these bounds must admit.  A record is forced before the next is written     *)
(* (SequencedCommit has longer tails); a segment may hold one or several.      *)
(*******************************************************************************)
EXTENDS WatermarkReclamation

CONSTANTS
  MaxLsn,          \* 2: a segment goes, the log goes on, and recovery replays a record;
                   \*    or two segments go, in one life or in two.
                   \* 3: two segments go, and the log goes on
  MaxIncarnation,  \* 2: the second life deletes what the first has left
  MaxGeneration,   \* 5: an open, the claim of a seal, a checkpoint and its claim, the next open.
                   \* 6: the same with two seals
  MaxFailures,     \* 1: the force of a slot fails, and recovery reads it from the page cache
  MaxLosses        \* 1: the newest slot is lost after segments went

VARIABLES
  failures,  \* how many steps have failed
  lost       \* which slots were lost: the newer one or the older one of two

mcVars == <<vars, failures, lost>>

Sound == UNCHANGED <<failures, lost>>
Fails == failures < MaxFailures /\ failures' = failures + 1 /\ UNCHANGED lost

MCWriteFrame        == Sound /\ DurableLsn = End(segments) /\ DurableLsn < MaxLsn /\ WriteFrame
MCForceLog          == Sound /\ ForceLog
MCSealSegment       == Sound /\ SealSegment
MCWriteClaim        == Sound /\ superblock.gen < MaxGeneration /\ WriteClaim
MCForceClaim        == Sound /\ ForceClaim
MCFailClaim         == Fails /\ FailClaim
MCCaptureVersion    == Sound /\ CaptureVersion
MCWriteImage        == Sound /\ WriteImage
MCForceImage        == Sound /\ ForceImage
MCInstallAddresses  == Sound /\ InstallAddresses
MCPublishCheckpoint == Sound /\ superblock.gen < MaxGeneration /\ PublishCheckpoint
MCForceCheckpoint   == Sound /\ ForceCheckpoint
MCFailCheckpoint    == Fails /\ FailCheckpoint
MCDeleteSegment     == Sound /\ DeleteSegment
MCForceDirectory    == Sound /\ ForceDirectory
MCCrash             == Sound /\ Crash
MCReadStore         == Sound /\ ReadStore
MCSecureLog         == Sound /\ incarnation < MaxIncarnation /\ SecureLog
MCRewriteSlot       == Sound /\ RewriteSlot
MCForceRewritten    == Sound /\ ForceRewritten

MCLoseSlot(p) ==
  /\ Len(lost) < MaxLosses
  /\ LoseSlot(p)
  /\ lost' = Append(lost, IF slots[p].cached.gen > slots[1 - p].cached.gen THEN "NEWER" ELSE "OLDER")
  /\ UNCHANGED failures

MCNext ==
  \/ MCWriteFrame
  \/ MCForceLog
  \/ MCSealSegment
  \/ MCWriteClaim
  \/ MCForceClaim
  \/ MCFailClaim
  \/ MCCaptureVersion
  \/ MCWriteImage
  \/ MCForceImage
  \/ MCInstallAddresses
  \/ MCPublishCheckpoint
  \/ MCForceCheckpoint
  \/ MCFailCheckpoint
  \/ MCDeleteSegment
  \/ MCForceDirectory
  \/ MCCrash
  \/ \E p \in Places : MCLoseSlot(p)
  \/ MCReadStore
  \/ MCSecureLog
  \/ MCRewriteSlot
  \/ MCForceRewritten

MCSpec   == Init /\ failures = 0 /\ lost = <<>> /\ [][MCNext]_mcVars
LiveSpec == MCSpec /\ Fairness

(* Of each segment that the bounds admit.                                                           *)
LogStaysBoundedProp == \A number \in 1 .. MaxLsn : LogStaysBounded(number)

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* Two segments are gone for good.                                                                  *)
NeverReclaimsTwoInv == ~(status = "open" /\ segments[1].number = 3)

(* The store goes down between two deletions: the first is gone, though its directory entry may     *)
(* come back, and both slots cover the second.                                                      *)
NeverCrashesBetweenDeletionsInv ==
  ~ /\ status = "down"
    /\ Len(segments) = 3
    /\ segments[1].entry = "gone"
    /\ \A p \in Places : slots[p].medium.ckpt >= segments[2].last

(* The newer slot is lost after a segment went; the older one has a smaller checkpoint, and         *)
(* recovery replays what is behind that.                                                            *)
NeverRecoversFromTheOlderSlotInv ==
  ~ /\ status = "secured"
    /\ lost = <<"NEWER">>
    /\ Reclaimed(segments) > 0
    /\ superblock.ckpt < recovered.end
    /\ 1 .. recovered.end \subseteq image.durable

(* A force fails, the slot is read from the page cache, and the medium holds nothing of it.         *)
NeverBelievesThePageCacheInv ==
  ~(status = "read" /\ ~recovered.alone /\ slots[Place(superblock.gen)].medium = Invalid)
================================================================================
