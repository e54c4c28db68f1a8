------------------------------- MODULE LogOnDisk -------------------------------
(*******************************************************************************)
(* The log's file: frames in cells, what a write, a force, a failed force and  *)
(* a crash do to them, and how recovery reads them.  Operators only; the state *)
(* is SequencedCommit's.                                                       *)
(*                                                                             *)
(* Maps to org.overlaytrie.wal (Frame, WriteAheadLog, LogReader).  A cell is a *)
(* place for one frame: new frames overlay old ones exactly, so that a frame   *)
(* of an earlier life always lies where it does most harm, right behind the    *)
(* newest.  Left out: segments and their sealing, sizes, offsets (all tested   *)
(* on SimulatedStorage).                                                       *)
(*******************************************************************************)
EXTENDS MapOperations, FiniteSets

CONSTANTS
  Garbage,  \* what a record of a torn frame holds, if it is read without looking at its checksum
  Removed   \* the guards that are taken out: {} but in a negative control

Kept(guard) == guard \notin Removed

--------------------------------------------------------------------------------
(* Frames.                                                                                          *)

NoFrame == <<>>  \* the identity of the frame before the first one

(* `first` is the LSN of the first record (of the next one, if there is none), `prev` the identity  *)
(* of the frame before, `forced` the LSN up to which the log was durable when this was written.     *)
Frame(kind, inc, first, records, prev, forced) ==
  [kind |-> kind, inc |-> inc, first |-> first, records |-> records, prev |-> prev,
   forced |-> forced, torn |-> FALSE]

Empty == Frame("EMPTY", 0, 0, <<>>, NoFrame, 0)

Torn(frame) == [frame EXCEPT !.torn = TRUE]

(* What the checksum tells apart.                                                                   *)
Identity(frame) ==
  IF Kept("Incarnation")
  THEN <<frame.kind, frame.inc, frame.first, Len(frame.records)>>
  ELSE <<frame.kind, frame.first, frame.records>>

Sound(frame) == frame.kind # "EMPTY" /\ (frame.torn => ~Kept("Checksum"))

RecordsIn(frame) ==
  IF frame.torn
  THEN [i \in DOMAIN frame.records |->
         [j \in DOMAIN frame.records[i] |-> [frame.records[i][j] EXCEPT !.value = Garbage]]]
  ELSE frame.records

--------------------------------------------------------------------------------
(* Reading.  A position is what a reader knows between two frames.                                  *)

Start == [lsn |-> 0, map |-> EmptyMap, id |-> NoFrame, inc |-> 0]

(* A frame continues the log only with the next LSN, the right predecessor and incarnation; a       *)
(* closing frame is its life's last.                                                                *)
Follows(at, frame) ==
  /\ Sound(frame)
  /\ at.id # NoFrame /\ Head(at.id) = "CLOSE" => frame.kind = "OPEN"
  /\ frame.first = at.lsn + 1
  /\ Kept("Chain") => frame.prev = at.id
  /\ Kept("Incarnation") => frame.inc = IF frame.kind = "OPEN" THEN at.inc + 1 ELSE at.inc

Beyond(at, frame) ==
  [lsn |-> at.lsn + Len(frame.records), map |-> ReplayedAll(RecordsIn(frame), at.map),
   id |-> Identity(frame), inc |-> frame.inc]

RECURSIVE BeyondAll(_, _)
BeyondAll(at, frames) ==
  IF frames = <<>> THEN at ELSE BeyondAll(Beyond(at, Head(frames)), Tail(frames))

(* The frames that continue the log at this position, up to the first that does not.  The control   *)
(* that does not stop at a torn frame takes the reading up again at the next sound one.             *)
RECURSIVE Continuing(_, _)
Continuing(at, frames) ==
  IF frames = <<>>
  THEN <<>>
  ELSE LET frame == Head(frames)
       IN IF Follows(at, frame)
          THEN <<frame>> \o Continuing(Beyond(at, frame), Tail(frames))
          ELSE IF Kept("StopAtTorn") \/ ~frame.torn \/ Len(frames) = 1
               THEN <<>>
               ELSE Continuing([at EXCEPT !.lsn = frames[2].first - 1, !.id = frames[2].prev],
                               Tail(frames))

(* Whether `frame`, found somewhere behind `at`, proves that more than `at` was once durable: it    *)
(* says so, or it is of a later life, which began only when all before it was durable.              *)
Proves(at, frame) == Sound(frame) /\ (frame.forced > at.lsn \/ frame.inc > at.inc)

--------------------------------------------------------------------------------
(* Cells.  `cached` is what a reader sees, `durable` what is on the medium; `dirty` says that the   *)
(* next force makes `cached` durable.                                                               *)

Settled(content) == [cached |-> content, durable |-> content, dirty |-> FALSE]

Cached(cells)  == [i \in DOMAIN cells |-> cells[i].cached]
Durable(cells) == [i \in DOMAIN cells |-> cells[i].durable]

RECURSIVE Trimmed(_)
Trimmed(cells) ==
  IF cells # <<>> /\ cells[Len(cells)] = Settled(Empty)
  THEN Trimmed(SubSeq(cells, 1, Len(cells) - 1))
  ELSE cells

From(cells, i) == SubSeq(cells, i, Len(cells))

(* A cell after `frame` was written over what lay at place i.                                       *)
Overlaid(cells, i, frame) ==
  [cached |-> frame, durable |-> IF i <= Len(cells) THEN cells[i].durable ELSE Empty,
   dirty |-> TRUE]

Written(cells, i, frame) ==
  SubSeq(cells, 1, i - 1) \o <<Overlaid(cells, i, frame)>> \o From(cells, i + 1)

(* The same for an opening frame, which is small: it spoils the frame at place i, and leaves room   *)
(* for another before the next.                                                                     *)
Inserted(cells, i, frame) ==
  LET behind == From(cells, i + 1)
      room == IF behind = <<>> \/ Head(behind) = Settled(Empty) THEN <<>> ELSE <<Settled(Empty)>>
  IN Trimmed(SubSeq(cells, 1, i - 1) \o <<Overlaid(cells, i, frame)>> \o room \o behind)

(* Everything read up to place n is written again: what a failed force left clean becomes dirty.    *)
Rewritten(cells, n) ==
  [i \in DOMAIN cells |->
    IF i <= n THEN [cells[i] EXCEPT !.dirty = cells[i].cached # cells[i].durable] ELSE cells[i]]

Forced(cells) ==
  Trimmed([i \in DOMAIN cells |-> IF cells[i].dirty THEN Settled(cells[i].cached) ELSE cells[i]])

(* A force that fails: the pages count as clean, and are not on the medium.                         *)
ForceFailed(cells) == [i \in DOMAIN cells |-> [cells[i] EXCEPT !.dirty = FALSE]]

(* All ways to choose one element of each set of a sequence.                                        *)
RECURSIVE Choices(_)
Choices(sets) ==
  IF sets = <<>>
  THEN {<<>>}
  ELSE {<<one>> \o others : one \in Head(sets), others \in Choices(Tail(sets))}

(* The process dies: the page cache stays, though a page that counts as clean may be read anew.     *)
AfterKill(cells) ==
  Choices([i \in DOMAIN cells |->
    IF cells[i].dirty THEN {cells[i]} ELSE {cells[i], Settled(cells[i].durable)}])

(* The machine dies: each unforced write is on the medium, or not, or torn.                         *)
AfterPowerLoss(cells) ==
  Choices([i \in DOMAIN cells |->
    {Settled(cells[i].durable)} \cup
      IF cells[i].dirty THEN {Settled(cells[i].cached), Settled(Torn(cells[i].cached))} ELSE {}])

AfterCrash(cells) == {Trimmed(left) : left \in AfterKill(cells) \cup AfterPowerLoss(cells)}
================================================================================
