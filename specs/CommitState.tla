------------------------------ MODULE CommitState ------------------------------
(*******************************************************************************)
(* The state of the commit protocol, and what its parts have in common.  No    *)
(* variable grows with history: `base` stands for the part of the log that is  *)
(* durable for good, and a crash leaves the memory of the dead in place, to be *)
(* compared with what recovery finds.                                          *)
(*                                                                             *)
(* Maps to the fields of org.overlaytrie.commit (Versions, Version, Leadership, *)
(* WaiterStack, Waiter, CombiningFlush) and of org.overlaytrie.wal             *)
(* (WriteAheadLog).                                                            *)
(*******************************************************************************)
EXTENDS LogOnDisk

CONSTANTS
  Writers,     \* the threads that write; a thread does one operation at a time
  Operations,  \* the operations that they may invoke
  Terms        \* the leadership terms told apart: Nat, or {0, 1} to keep their parity alone

VARIABLES
  status,       \* "down"; recovery: "read", "rewritten", "secured", "opened"; "open"; "failed"
  incarnation,  \* of the process that is open, or was last
  tip,          \* the newest version
  visible,      \* the version that readers see
  chain,        \* the operations that lead from visible to tip, in commit order
  thread,       \* what each writer does
  term,         \* of the leadership: even is free, odd is held
  stack,        \* waiters pushed and not yet drained
  pending,      \* waiters drained and not yet served
  flush,        \* the leader's batch: its last version, and the last LSN written so far
  base,         \* the position behind the frames that are durable for good and no longer in cells
  cells,        \* the log from there on
  tail,         \* how many cells hold frames of the log (behind them lie stale ones)
  recovered,    \* what recovery read
  answered,     \* highest LSN of a change that was answered
  observed,     \* highest LSN that a read, or the answer of a no-op, depended on
  seen          \* the map as the latest read saw it

memory  == <<tip, visible, chain>>
leading == <<term, stack, pending, flush>>
disk    == <<base, cells, tail>>
told    == <<answered, observed, seen>>
vars    == <<status, incarnation, memory, thread, leading, disk, recovered, told>>

Version(lsn, map) == [lsn |-> lsn, map |-> map, closed |-> FALSE]
Waiter(w, lsn)    == [who |-> w, lsn |-> lsn]
NoFlush           == [end |-> Version(0, EmptyMap), written |-> 0]
NothingRead       == [at |-> Start, used |-> 0, replayed |-> <<>>, corrupt |-> FALSE]

IdleThread ==
  [pc |-> "idle", op |-> NoOperation, lsn |-> 0, noop |-> FALSE, previous |-> Absent,
   flag |-> "WAITING", term |-> 0]

Running    == status \in {"open", "failed"}
Recovering == status \in {"read", "rewritten", "secured", "opened"}

Maximum(a, b) == IF a > b THEN a ELSE b

At(w, pc)   == thread[w].pc = pc
Goto(w, pc) == thread' = [thread EXCEPT ![w].pc = pc]

Free(t)       == t % 2 = 0
Raised(t, by) == IF t + by \in Terms THEN t + by ELSE (t + by) % 2

(* What the closing thread waits for in place of an LSN: greater than each.                         *)
Never      == 2147483647
Closing(w) == thread[w].lsn = Never

(* All who wait for this LSN or less go on once the version is visible.  After the closed version   *)
(* comes none.                                                                                      *)
SettledLsn(version) == IF version.closed THEN Never ELSE version.lsn

RecordAt(lsn)    == Record(chain[lsn - visible.lsn])
RecordsUpTo(lsn) == [i \in 1 .. lsn - visible.lsn |-> Record(chain[i])]

(* The position up to which the log is durable, whatever happens now.                               *)
DurableFrames == Continuing(base, Durable(SubSeq(cells, 1, tail)))
Secured       == BeyondAll(base, DurableFrames)

(* The log, with the frames that are durable for good moved from the cells to the base.             *)
Collapsed ==
  LET n == Len(DurableFrames)
  IN [base |-> Secured, cells |-> From(cells, n + 1), tail |-> tail - n]

LastIdentity(log) == IF log.tail = 0 THEN log.base.id ELSE Identity(log.cells[log.tail].cached)

TypeOK ==
  /\ status \in {"down", "read", "rewritten", "secured", "opened", "open", "failed"}
  /\ incarnation \in Nat
  /\ tip.lsn \in Nat /\ visible.lsn \in Nat /\ DOMAIN tip.map = Keys /\ DOMAIN visible.map = Keys
  /\ \A w \in Writers :
       /\ thread[w].pc \in {"idle", "invoked", "await", "queued", "rechecked", "parked", "collect",
                            "write", "publish", "drain", "serve", "released", "retry", "left",
                            "failing", "letgo", "closing", "closed", "stage"}
       /\ thread[w].flag \in {"WAITING", "SERVED", "PROMOTED"}
       /\ At(w, "idle") => thread[w] = IdleThread
  /\ term \in Terms
  /\ tail \in 0 .. Len(cells)
  /\ answered \in Nat /\ observed \in Nat
================================================================================
