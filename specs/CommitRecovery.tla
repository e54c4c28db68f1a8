---------------------------- MODULE CommitRecovery -----------------------------
(*******************************************************************************)
(* Crash at any moment, also during recovery, and recovery.                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.wal: WriteAheadLog#open, LogReader#read,            *)
(* StoreDirectory#makeDurable.  Left out: segments, creation of the store,     *)
(* corruption (README.md).                                                     *)
(*******************************************************************************)
EXTENDS CommitState

(* The process or the machine dies, at any moment.  What memory held stays in the variables as the  *)
(* memory of the dead, to compare with what recovery finds.                                         *)
Crash ==
  /\ status # "down"
  /\ status' = "down"
  /\ cells' \in AfterCrash(cells)
  /\ thread' = [w \in Writers |-> IdleThread]
  /\ term' = 0
  /\ stack' = {} /\ pending' = {}
  /\ flush' = NoFlush
  /\ tail' = 0
  /\ recovered' = NothingRead
  /\ UNCHANGED <<incarnation, memory, base, told>>

(* The records of frames that are replayed from a position, with their LSNs and incarnations.       *)
RECURSIVE ReplayedRecords(_, _)
ReplayedRecords(frames, lsn) ==
  IF frames = <<>>
  THEN <<>>
  ELSE LET frame == Head(frames)
           records == RecordsIn(frame)
       IN [i \in DOMAIN records |->
             [lsn |-> frame.first + i - 1, inc |-> frame.inc, record |-> records[i]]]
          \o ReplayedRecords(Tail(frames), lsn)

(* What there is to read.  A frame that does not continue the log ends it, unless one behind it     *)
(* proves that more was durable: that would be corruption.                                          *)
LogAsRead ==
  LET all == Continuing(base, Cached(cells))
      frames == IF Kept("KeepLastFrame") \/ all = <<>> \/ all[Len(all)].kind = "OPEN"
                THEN all
                ELSE SubSeq(all, 1, Len(all) - 1)
      at == BeyondAll(base, frames)
      behind == From(Cached(cells), Len(all) + 1)
  IN [at |-> at, used |-> Len(frames),
      replayed |-> ReplayedRecords(frames, base.lsn),
      corrupt |-> \E i \in DOMAIN behind : Proves(at, behind[i])]

(* Recovery reads the log.                                                                          *)
ReadLog ==
  /\ status = "down"
  /\ status' = "read"
  /\ recovered' = LogAsRead
  /\ UNCHANGED <<incarnation, memory, thread, leading, disk, told>>

(* Recovery writes again what it read and does not know to be durable: a failed force may have left *)
(* it in the page cache alone, where no later force would look for it.  (One step for several       *)
(* writes: a crash between two of them leaves nothing new.)                                         *)
RewriteTail ==
  /\ status = "read"
  /\ ~recovered.corrupt
  /\ status' = "rewritten"
  /\ cells' = IF Kept("RewriteTail") THEN Rewritten(cells, recovered.used) ELSE cells
  /\ tail' = recovered.used
  /\ UNCHANGED <<incarnation, memory, thread, leading, base, recovered, told>>

(* Recovery forces it, before it writes the frame that will prove it durable.                       *)
ForceTail ==
  /\ status = "rewritten"
  /\ status' = "secured"
  /\ cells' = IF Kept("ForceTail") THEN Forced(cells) ELSE cells
  /\ UNCHANGED <<incarnation, memory, thread, leading, base, tail, recovered, told>>

(* Recovery writes its opening frame, which carries the new incarnation, over the log's end.        *)
OpenIncarnation ==
  LET log == Collapsed
      at == recovered.at
      frame == Frame("OPEN", at.inc + 1, at.lsn + 1, <<>>, LastIdentity(log), at.lsn)
  IN /\ status = "secured"
     /\ status' = "opened"
     /\ base' = log.base
     /\ cells' = Inserted(log.cells, log.tail + 1, frame)
     /\ tail' = log.tail + 1
     /\ UNCHANGED <<incarnation, memory, thread, leading, recovered, told>>

(* The opening frame is forced; operations may begin.                                               *)
FinishRecovery ==
  /\ status = "opened"
  /\ status' = "open"
  /\ cells' = IF Kept("ForceOpen") THEN Forced(cells) ELSE cells
  /\ incarnation' = recovered.at.inc + 1
  /\ tip' = Version(recovered.at.lsn, recovered.at.map)
  /\ visible' = Version(recovered.at.lsn, recovered.at.map)
  /\ chain' = <<>>
  /\ recovered' = NothingRead
  /\ answered' = recovered.at.lsn /\ observed' = recovered.at.lsn /\ seen' = recovered.at.map
  /\ UNCHANGED <<thread, leading, base, tail>>

(* A force of recovery fails: the store stays closed.                                               *)
FailRecovery ==
  /\ status \in {"rewritten", "opened"}
  /\ status' = "down"
  /\ cells' = ForceFailed(cells)
  /\ tail' = 0
  /\ recovered' = NothingRead
  /\ UNCHANGED <<incarnation, memory, thread, leading, base, told>>
================================================================================
