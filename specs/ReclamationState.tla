---------------------------- MODULE ReclamationState ---------------------------
(*******************************************************************************)
(* The state of checkpoints and of the reclamation of the log: the             *)
(* superblock's two slots and the log's segments, and what a crash leaves of   *)
(* them.                                                                       *)
(*                                                                             *)
(* Maps to org.overlaytrie.checkpoint, and to Superblock, LogSegment and       *)
(* StoreDirectory of org.overlaytrie.wal.  Commits are abstract: a record is   *)
(* its LSN, and the map that n records lead to is n.  An image is the LSNs     *)
(* whose nodes were written to it, so that a part that is missing shows.       *)
(*******************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANT Removed  \* the guards that are taken out: {} but in a negative control

VARIABLES
  status,       \* "down"; recovery: "read", "secured", "confirmed"; "open"; "failed"
  incarnation,  \* how often recovery has begun a life
  visible,      \* the LSN up to which readers see the log
  segments,     \* of the log, oldest first; the last one is being written
  slots,        \* of the superblock: what a reader sees, what the medium holds, what a force would do
  image,        \* the LSNs whose nodes are in the image: durable, or written and not forced
  superblock,   \* in memory: what the newest slot holds that is known to be durable (or is believed)
  known,        \* in memory: the checkpoint that each slot is known to hold durably, 0 if none is
  writing,      \* who writes a slot: "NOBODY", "CHECKPOINT", "CLAIM", "REWRITE"
  checkpoint,   \* in memory: how far the checkpoint under way is
  addressed,    \* in memory: up to this LSN nodes have addresses in the image
  recovered     \* what recovery read

memory == <<superblock, known, writing, checkpoint, addressed>>
disk   == <<segments, slots, image>>
vars   == <<status, incarnation, visible, disk, memory, recovered>>

Kept(guard) == guard \notin Removed

Minimum(a, b) == IF a < b THEN a ELSE b

Idle        == [step |-> "NONE", lsn |-> 0]
NothingRead == [end |-> 0, alone |-> FALSE, corrupt |-> FALSE]

Running == status \in {"open", "failed"}

--------------------------------------------------------------------------------
(* Slots.                                                                                           *)

Places == {0, 1}

Content(gen, ckpt, claim) == [gen |-> gen, ckpt |-> ckpt, claim |-> claim]

Invalid == Content(-1, 0, 0)  \* torn, damaged, or never written

Place(gen)       == gen % 2
Settled(content) == [cached |-> content, medium |-> content, dirty |-> FALSE]

(* What the slot may hold after a power loss.                                                       *)
Outcomes(slot) == {slot.medium} \cup IF slot.dirty THEN {slot.cached, Invalid} ELSE {}

Newer(a, b) == IF a.gen > b.gen THEN a ELSE b

(* The slots after a power loss; after a kill, when a page that counts as clean may be read anew.   *)
SlotsAfterPowerLoss ==
  {[p \in Places |-> Settled(IF p = 0 THEN a ELSE b)] :
     a \in Outcomes(slots[0]), b \in Outcomes(slots[1])}

SlotsAfterKill ==
  {[p \in Places |-> IF p \in anew /\ ~slots[p].dirty THEN Settled(slots[p].medium) ELSE slots[p]] :
     anew \in SUBSET Places}

--------------------------------------------------------------------------------
(* Segments.  `last` is the last LSN in the page cache, `forced` the last on the medium.  A segment *)
(* has an `entry` in the directory: "kept", or not yet forced: "new", or "gone".                    *)

Segment(number, first, entry) ==
  [number |-> number, first |-> first, last |-> first - 1, forced |-> first - 1, entry |-> entry]

Retained(log)  == SelectSeq(log, LAMBDA s : s.entry \in {"kept", "new"})
Last(log)      == log[Len(log)]
End(log)       == Last(log).last
Reclaimed(log) == Retained(log)[1].first - 1

Contiguous(log) ==
  \A i \in 1 .. Len(log) - 1 :
    log[i + 1].number = log[i].number + 1 /\ log[i + 1].first = log[i].last + 1

(* The logs that a power loss may leave: of the tail some, of each entry not forced one or nothing. *)
Drop(log, lost) == SelectSeq(log, LAMBDA s : s.number \notin lost)

LogsAfterPowerLoss ==
  LET unforced == {i \in DOMAIN segments : segments[i].entry # "kept"}
      Left(end) == [i \in DOMAIN segments |->
                      [segments[i] EXCEPT !.entry = "kept", !.last = Minimum(@, end),
                                          !.forced = Minimum(segments[i].last, end)]]
  IN {Drop(Left(end), {segments[i].number : i \in lost}) :
        end \in Last(segments).forced .. Last(segments).last, lost \in SUBSET unforced}

(* The one of them that holds least in its tail: what is durable, whatever happens now.             *)
LeastLogs == {log \in LogsAfterPowerLoss : End(log) <= Last(segments).forced}

DurableLsn == Last(segments).forced

--------------------------------------------------------------------------------

TypeOK ==
  /\ status \in {"down", "read", "secured", "confirmed", "open", "failed"}
  /\ incarnation \in Nat /\ visible \in Nat /\ addressed \in Nat
  /\ \A i \in DOMAIN segments :
       /\ segments[i].entry \in {"kept", "new", "gone", "forgotten"}
       /\ segments[i].forced <= segments[i].last
  /\ \A p \in Places : slots[p].medium.gen >= -1 /\ known[p] \in Nat
  /\ writing \in {"NOBODY", "CHECKPOINT", "CLAIM", "REWRITE"}
  /\ checkpoint.step \in {"NONE", "CAPTURED", "WRITTEN", "FORCED", "INSTALLED", "PUBLISHED"}
================================================================================
