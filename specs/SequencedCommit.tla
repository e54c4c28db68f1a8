---------------------------- MODULE SequencedCommit ----------------------------
(*******************************************************************************)
(* One CAS on the tip decides commit order and LSN; one leader at a time       *)
(* writes and forces what was committed, makes it visible and serves those who *)
(* wait; readers see only what is durable.  Crash at any step, also during     *)
(* recovery.  No variable grows with history: `base` stands for the part of    *)
(* the log that is durable for good.                                           *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit (SequencedCommit#write, #awaitVisible,       *)
(* #lead) and org.overlaytrie.wal (WriteAheadLog#append, #force, #open).  An   *)
(* action has the name of the method of org.overlaytrie.spec.ProtocolEvents    *)
(* that the code calls there.  Left out: close, rotation of segments, creation *)
(* of the store, corruption (see README.md).                                   *)
(*******************************************************************************)
EXTENDS LogOnDisk, Bags

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

Version(lsn, map) == [lsn |-> lsn, map |-> map]
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

RecordAt(lsn)    == Record(chain[lsn - visible.lsn])
RecordsUpTo(lsn) == [i \in 1 .. lsn - visible.lsn |-> Record(chain[i])]

(* The position up to which the log is durable, whatever happens now.                               *)
DurableFrames == Continuing(base, Durable(SubSeq(cells, 1, tail)))
Secured       == BeyondAll(base, DurableFrames)

TypeOK ==
  /\ status \in {"down", "read", "rewritten", "secured", "opened", "open", "failed"}
  /\ incarnation \in Nat
  /\ tip.lsn = visible.lsn + Len(chain)
  /\ \A w \in Writers :
       /\ thread[w].pc \in {"idle", "invoked", "await", "queued", "rechecked", "parked", "collect",
                            "write", "publish", "drain", "serve", "released", "retry", "left",
                            "failing", "letgo"}
       /\ thread[w].flag \in {"WAITING", "SERVED", "PROMOTED"}
       /\ At(w, "idle") => thread[w] = IdleThread
  /\ term \in Terms
  /\ tail \in 0 .. Len(cells)
  /\ answered \in Nat /\ observed \in Nat

--------------------------------------------------------------------------------
(* Writing: SequencedCommit#write.                                                                  *)

(* A write operation enters the store.                                                              *)
Invoke(w, op) ==
  /\ Running
  /\ At(w, "idle")
  /\ IsOperation(op)
  /\ thread' = [thread EXCEPT ![w].pc = "invoked", ![w].op = op]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The CAS on the tip succeeds and gives the operation its LSN.  (Also in a store that failed since *)
(* the thread looked.)                                                                              *)
CommitVersion(w) ==
  LET op == thread[w].op
      effect == Apply(op, tip.map)
  IN /\ Running
     /\ At(w, "invoked")
     /\ Changes(op, tip.map)
     /\ tip' = Version(tip.lsn + 1, effect.map)
     /\ chain' = Append(chain, op)
     /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = tip.lsn + 1,
                                 ![w].previous = effect.previous]
     /\ UNCHANGED <<status, incarnation, visible, leading, disk, recovered, told>>

(* The operation changes nothing in the tip, and so its answer depends on it.                       *)
ObserveNoOp(w) ==
  LET op == thread[w].op
  IN /\ Running
     /\ At(w, "invoked")
     /\ ~Changes(op, tip.map)
     /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = tip.lsn, ![w].noop = TRUE,
                                 ![w].previous = Apply(op, tip.map).previous]
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A thread in one of these places returns from waiting as soon as it reads a visible version that  *)
(* decides its operation: it has not waited yet, was woken, has led, or let everybody go.           *)
MayLeave(w) ==
  \/ thread[w].pc \in {"await", "queued", "parked", "left"}
  \/ At(w, "retry") /\ thread[w].term # term
  \/ At(w, "letgo") /\ pending = {}

(* A negative control answers here although the operation is not visible.                           *)
AnswersEarly(w) ==
  \/ ~Kept("AnswerWaits") /\ At(w, "await") /\ ~thread[w].noop
  \/ ~Kept("NoOpWaits") /\ At(w, "await") /\ thread[w].noop
  \/ ~Kept("FailureIsFailure") /\ status = "failed"

(* The operation returns its result; its LSN is visible.                                            *)
Answer(w) ==
  LET t == thread[w]
  IN /\ Running
     /\ MayLeave(w)
     /\ t.lsn <= visible.lsn \/ AnswersEarly(w)
     /\ thread' = [thread EXCEPT ![w] = IdleThread]
     /\ answered' = IF t.noop THEN answered ELSE Maximum(answered, t.lsn)
     /\ observed' = IF t.noop THEN Maximum(observed, t.lsn) ELSE observed
     /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, seen>>

(* The operation throws, because the store has failed and its LSN is not visible.                   *)
AnswerFailure(w) ==
  /\ status = "failed"
  /\ \/ At(w, "invoked")
     \/ MayLeave(w) /\ thread[w].lsn > visible.lsn
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A read takes its answer from the visible version.                                                *)
ReadVisible ==
  LET version == IF Kept("ReadVisible") THEN visible ELSE tip
  IN /\ Running
     /\ observed' = Maximum(observed, version.lsn)
     /\ seen' = version.map
     /\ UNCHANGED <<status, incarnation, memory, thread, leading, disk, recovered, answered>>

--------------------------------------------------------------------------------
(* Waiting: SequencedCommit#awaitVisible.                                                           *)

(* The CAS on the term succeeds: from even to odd.                                                  *)
BecomeLeader(w) ==
  /\ Running
  /\ thread[w].pc \in {"await", "rechecked", "retry"}
  /\ Free(term)
  /\ term' = Raised(term, 1)
  /\ Goto(w, "collect")
  /\ UNCHANGED <<status, incarnation, memory, stack, pending, flush, disk, recovered, told>>

(* The thread is pushed on the stack of waiters.  Its LSN may have become visible since it looked.   *)
Enqueue(w) ==
  /\ Running
  /\ At(w, "await")
  /\ stack' = stack \cup {Waiter(w, thread[w].lsn)}
  /\ Goto(w, "queued")
  /\ UNCHANGED <<status, incarnation, memory, term, pending, flush, disk, recovered, told>>

(* The waiter reads the visible version, still below its LSN: it must try to lead before it sleeps. *)
(* (From "parked": the sleep ended without cause, as LockSupport#park may.)                         *)
RecheckVisible(w) ==
  /\ status = "open"
  /\ thread[w].pc \in {"queued", "parked"}
  /\ thread[w].lsn > visible.lsn
  /\ Goto(w, "rechecked")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The waiter finds the leadership held and goes to sleep until it is served or promoted.           *)
Park(w) ==
  /\ Running
  /\ \/ At(w, "rechecked") /\ ~Free(term)
     \/ At(w, "queued") /\ ~Kept("RecheckVisible")
  /\ Goto(w, "parked")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

--------------------------------------------------------------------------------
(* Leading: SequencedCommit#lead, WriteAheadLog#append, #force.                                     *)

(* The leader reads the tip: all up to there goes into this flush.                                  *)
CollectBatch(w) ==
  /\ Running
  /\ \/ At(w, "collect")
     \/ thread[w].pc \in {"queued", "parked"} /\ thread[w].flag = "PROMOTED"
  /\ IF tip.lsn > visible.lsn
     THEN Goto(w, "write") /\ flush' = [end |-> tip, written |-> visible.lsn]
     ELSE Goto(w, "drain") /\ flush' = NoFlush
  /\ UNCHANGED <<status, incarnation, memory, term, stack, pending, disk, recovered, told>>

(* Frames that are durable for good leave the cells for the base.                                   *)
Collapsed ==
  LET n == Len(DurableFrames)
  IN [base |-> Secured, cells |-> From(cells, n + 1), tail |-> tail - n]

LastIdentity(log) == IF log.tail = 0 THEN log.base.id ELSE Identity(log.cells[log.tail].cached)

(* One frame, with the records up to `last`, is written behind the log's last frame.                *)
WriteFrame(w, last) ==
  LET log == Collapsed
      first == flush.written + 1
      inOrder == [i \in 1 .. last - flush.written |-> RecordAt(flush.written + i)]
      records == IF Kept("CommitOrder")
                 THEN inOrder
                 ELSE [i \in DOMAIN inOrder |-> inOrder[Len(inOrder) + 1 - i]]
      frame == Frame("DATA", incarnation, first, records, LastIdentity(log), visible.lsn)
  IN /\ At(w, "write")
     /\ last \in first .. flush.end.lsn
     /\ base' = log.base
     /\ cells' = Written(log.cells, log.tail + 1, frame)
     /\ tail' = log.tail + 1
     /\ flush' = [flush EXCEPT !.written = last]
     /\ UNCHANGED <<status, incarnation, memory, thread, term, stack, pending, recovered, told>>

BatchIsWritten(w) == At(w, "write") /\ flush.written = flush.end.lsn

(* A force returns: every frame written before is durable.                                          *)
ForceLog(w) ==
  /\ BatchIsWritten(w)
  /\ cells' = Forced(cells)
  /\ Goto(w, "publish")
  /\ UNCHANGED <<status, incarnation, memory, leading, base, tail, recovered, told>>

(* Readers see the end of the batch from here on; the chain is cut.                                 *)
MakeVisible(w) ==
  /\ \/ At(w, "publish")
     \/ BatchIsWritten(w) /\ ~Kept("ForceBeforeVisible")
  /\ visible' = flush.end
  /\ chain' = From(chain, flush.end.lsn - visible.lsn + 1)
  /\ flush' = NoFlush
  /\ Goto(w, "drain")
  /\ UNCHANGED <<status, incarnation, tip, term, stack, pending, disk, recovered, told>>

(* The leader takes the whole stack.                                                                *)
DrainWaiters(w) ==
  /\ \/ At(w, "drain") /\ Goto(w, "serve")
     \/ At(w, "failing") /\ Goto(w, "letgo")
  /\ pending' = pending \cup stack
  /\ stack' = {}
  /\ UNCHANGED <<status, incarnation, memory, term, flush, disk, recovered, told>>

(* One waiter is let go: its LSN is visible, or the store has failed.  A waiter that its thread     *)
(* left behind when it saw for itself is served too, to no effect.                                  *)
WakeServed(w, waiter) ==
  /\ \/ At(w, "serve") /\ waiter.lsn <= visible.lsn
     \/ At(w, "letgo")
  /\ waiter \in pending
  /\ pending' = pending \ {waiter}
  /\ thread' = IF thread[waiter.who].pc \in {"queued", "rechecked", "parked"}
                    /\ thread[waiter.who].lsn = waiter.lsn
               THEN [thread EXCEPT ![waiter.who].flag = "SERVED"]
               ELSE thread
  /\ UNCHANGED <<status, incarnation, memory, term, stack, flush, disk, recovered, told>>

(* The leadership passes to the unserved waiter with the smallest LSN, and with it those pending.   *)
HandOver(w, waiter) ==
  /\ At(w, "serve")
  /\ waiter \in pending
  /\ \A other \in pending : other.lsn > visible.lsn /\ other.lsn >= waiter.lsn
  /\ pending' = pending \ {waiter}
  /\ term' = Raised(term, 2)
  /\ thread' = [thread EXCEPT ![w].pc = "left", ![waiter.who].flag = "PROMOTED"]
  /\ UNCHANGED <<status, incarnation, memory, stack, flush, disk, recovered, told>>

(* Nobody waits unserved: the leadership becomes free.                                              *)
ReleaseLeadership(w) ==
  /\ At(w, "serve")
  /\ pending = {}
  /\ term' = Raised(term, 1)
  /\ thread' = [thread EXCEPT ![w].pc = IF Kept("RecheckTip") THEN "released" ELSE "left",
                              ![w].term = term']
  /\ UNCHANGED <<status, incarnation, memory, stack, pending, flush, disk, recovered, told>>

(* After the release the tip is read: if it is not visible, somebody must lead again, this thread   *)
(* unless another took the leadership since (MayLeave).                                             *)
RecheckTip(w) ==
  /\ Running
  /\ At(w, "released")
  /\ Goto(w, IF tip.lsn > visible.lsn THEN "retry" ELSE "left")
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* A write, a force or the leader itself fails.  A failed force leaves what it should have forced   *)
(* unforced for ever.  The leadership is never released again.  (A write cut short leaves what a    *)
(* crash after a whole write may leave too.)                                                        *)
FailStore(w) ==
  /\ thread[w].pc \in {"collect", "write", "publish", "drain", "serve"}
  /\ IF Kept("FailOnce")
     THEN /\ status' = "failed"
          /\ flush' = NoFlush
          /\ Goto(w, "failing")
          /\ cells' \in {cells} \cup (IF BatchIsWritten(w) THEN {ForceFailed(cells)} ELSE {})
     ELSE /\ BatchIsWritten(w)
          /\ cells' = ForceFailed(cells)
          /\ UNCHANGED <<status, flush, thread>>
  /\ UNCHANGED <<incarnation, memory, term, stack, pending, base, tail, recovered, told>>

--------------------------------------------------------------------------------
(* Crash and recovery: WriteAheadLog#open, LogReader.                                               *)

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

(* Recovery reads the log.  A frame that does not continue it ends it, unless one behind it proves  *)
(* that more was durable: that would be corruption.                                                 *)
ReadLog ==
  LET all == Continuing(base, Cached(cells))
      frames == IF Kept("KeepLastFrame") \/ all = <<>> \/ all[Len(all)].kind = "OPEN"
                THEN all
                ELSE SubSeq(all, 1, Len(all) - 1)
      at == BeyondAll(base, frames)
      behind == From(Cached(cells), Len(all) + 1)
  IN /\ status = "down"
     /\ status' = "read"
     /\ recovered' = [at |-> at, used |-> Len(frames),
                      replayed |-> ReplayedRecords(frames, base.lsn),
                      corrupt |-> \E i \in DOMAIN behind : Proves(at, behind[i])]
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

--------------------------------------------------------------------------------

(* A store that was just created: an empty log, and nobody has opened it.                           *)
Init ==
  /\ status = "down"
  /\ incarnation = 0
  /\ tip = Version(0, EmptyMap) /\ visible = Version(0, EmptyMap) /\ chain = <<>>
  /\ thread = [w \in Writers |-> IdleThread]
  /\ term = 0 /\ stack = {} /\ pending = {} /\ flush = NoFlush
  /\ base = Start /\ cells = <<>> /\ tail = 0
  /\ recovered = NothingRead
  /\ answered = 0 /\ observed = 0 /\ seen = EmptyMap

(* What a thread does once it has invoked an operation.                                             *)
ThreadStep(w) ==
  \/ CommitVersion(w)
  \/ ObserveNoOp(w)
  \/ Answer(w)
  \/ AnswerFailure(w)
  \/ BecomeLeader(w)
  \/ Enqueue(w)
  \/ RecheckVisible(w)
  \/ Park(w)
  \/ CollectBatch(w)
  \/ \E last \in flush.written + 1 .. flush.end.lsn : WriteFrame(w, last)
  \/ ForceLog(w)
  \/ MakeVisible(w)
  \/ DrainWaiters(w)
  \/ \E waiter \in pending : WakeServed(w, waiter)
  \/ \E waiter \in pending : HandOver(w, waiter)
  \/ ReleaseLeadership(w)
  \/ RecheckTip(w)

RecoveryStep ==
  \/ ReadLog
  \/ RewriteTail
  \/ ForceTail
  \/ OpenIncarnation
  \/ FinishRecovery
  \/ FailRecovery

Next ==
  \/ \E w \in Writers : \E op \in Operations : Invoke(w, op)
  \/ \E w \in Writers : ThreadStep(w)
  \/ \E w \in Writers : FailStore(w)
  \/ ReadVisible
  \/ Crash
  \/ RecoveryStep

(* A sleeper whose flag says WAITING need not wake; every other thread goes on.  A waiter looks at  *)
(* its flag in every round, so that it cannot overlook for ever that it leads.                      *)
Asleep(w) == At(w, "parked") /\ thread[w].flag = "WAITING"

Fairness ==
  \A w \in Writers : WF_vars(~Asleep(w) /\ ThreadStep(w)) /\ SF_vars(CollectBatch(w))

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------
(* Invariants.                                                                                      *)

(* What readers see is on the medium, whatever happens now.                                         *)
VisibleIsDurableInv ==
  Running => /\ Secured.lsn >= visible.lsn
             /\ Secured.map = ReplayedAll(RecordsUpTo(Secured.lsn), visible.map)

(* A change is answered only when readers see it.                                                   *)
AnsweredIsVisibleInv == status = "open" => answered <= visible.lsn

(* What a read or the answer of a no-op depended on is on the medium, whatever happens now.         *)
ObservedIsDurableInv == Running => observed <= Secured.lsn

(* The log holds the records in the order, and with the LSNs, of their commits.                     *)
CommitOrderIsLogOrderInv ==
  Running =>
    /\ tip.lsn = visible.lsn + Len(chain)
    /\ tip.map = ReplayedAll(RecordsUpTo(tip.lsn), visible.map)
    /\ \A i \in 1 .. tail :
         LET frame == cells[i].cached
         IN \A j \in DOMAIN frame.records :
              LET lsn == frame.first + j - 1
              IN lsn > visible.lsn => lsn <= tip.lsn /\ frame.records[j] = RecordAt(lsn)

(* Recovery brings back a state that the commits passed through, and never judges a crash to be     *)
(* corruption.                                                                                      *)
RecoveredIsPrefixInv ==
  Recovering =>
    /\ ~recovered.corrupt
    /\ recovered.at.lsn >= visible.lsn =>
         /\ recovered.at.lsn <= tip.lsn
         /\ recovered.at.map = ReplayedAll(RecordsUpTo(recovered.at.lsn), visible.map)

(* Recovery brings back everything that was answered or observed.                                   *)
NoLostWriteInv == Recovering => recovered.at.lsn >= answered /\ recovered.at.lsn >= observed

(* Every record that recovery replays was written as it is replayed.                                *)
NoInventedWriteInv ==
  Recovering =>
    \A i \in DOMAIN recovered.replayed :
      recovered.replayed[i].record.value \in Values \cup {Absent}

(* After a failure nothing more is acknowledged.                                                    *)
FailedAcknowledgesNothingInv ==
  status = "failed" => answered <= visible.lsn /\ observed <= visible.lsn

(* Recovery never replays what an earlier life left behind the log's end.                           *)
StaleTailNeverReplaysInv ==
  Recovering =>
    \A i \in DOMAIN recovered.replayed : recovered.replayed[i].inc = incarnation

--------------------------------------------------------------------------------
(* Properties under Fairness.                                                                       *)

(* Every operation is answered, or throws, or its process dies: no wake-up is lost, no leadership   *)
(* orphaned.                                                                                        *)
EveryWriteIsAnsweredProp == \A w \in Writers : ~At(w, "idle") ~> At(w, "idle")

(* Every committed change becomes visible, unless the store fails or its process dies.              *)
BecomesVisible(lsn) == (status = "open" /\ tip.lsn >= lsn) ~> (status # "open" \/ visible.lsn >= lsn)

--------------------------------------------------------------------------------
(* Refinement.                                                                                      *)

Decided(w) == thread[w].pc \notin {"idle", "invoked"} /\ thread[w].lsn <= visible.lsn

ClientOf(w) ==
  [state  |-> IF At(w, "idle") THEN "idle" ELSE IF Decided(w) THEN "done" ELSE "pending",
   op     |-> thread[w].op,
   result |-> IF Decided(w) THEN thread[w].previous ELSE Absent]

(* Changes that are committed, not visible, and nobody's any more.                                  *)
Ownerless ==
  {i \in DOMAIN chain :
    \A w \in Writers :
      thread[w].pc \in {"idle", "invoked"} \/ thread[w].noop \/ thread[w].lsn # visible.lsn + i}

Promise == INSTANCE DurableMap WITH
  Clients <- Writers,
  up      <- Running,
  map     <- visible.map,
  client  <- [w \in Writers |-> ClientOf(w)],
  limbo   <- [op \in {chain[i] : i \in Ownerless} |->
               Cardinality({i \in Ownerless : chain[i] = op})],
  seen    <- seen

(* (That nothing changes is asked first: it is what most steps do, and TLC is quick to see it.)     *)
RefinesDurableMapProp ==
  Promise!Init /\ [][UNCHANGED Promise!vars \/ Promise!Next]_(Promise!vars)
================================================================================
