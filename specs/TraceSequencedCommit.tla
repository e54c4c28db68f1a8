-------------------------- MODULE TraceSequencedCommit --------------------------
(*******************************************************************************)
(* Recorded executions of the store, each checked to be a behaviour of         *)
(* SequencedCommit: every line of a trace names an action and what was         *)
(* recorded of it; the action must be possible there, and must do just that.   *)
(*                                                                             *)
(* Maps to org.overlaytrie.conformance.trace, which puts the recorded events   *)
(* in order, and whose Java code stands behind the first operators here.       *)
(* Beyond the module's own actions there are two: the first line of a trace    *)
(* may tell what the store held before, and the force with which the log ends  *)
(* a segment changes nothing.                                                  *)
(*******************************************************************************)
EXTENDS BufferedCommit

VARIABLES
  trace,  \* which of the traces given
  line    \* the line of it that comes next

(* Given by Java (class TraceOperators).                                                            *)
Traces         == 0                         \* how many traces there are
Lines(t)       == 0                         \* how many lines trace t has
LineOf(t, i)   == <<>>                     \* line i of trace t: a record
TraceWriters   == {}                       \* the threads, keys and values of all traces
TraceKeys      == {}
TraceValues    == {}
Explained(t, i, possible) == TRUE          \* TRUE; notes that line i of trace t is explained

TraceStages    == {}                       \* those of the threads that are stages
TraceWaits     == TRUE                     \* whether writers wait: whether leaders recheck the tip

TraceTerms       == Nat
TraceMaxUnforced == 1000000

allVars == <<vars, trace, line>>

--------------------------------------------------------------------------------

(* What a reader of these cells finds.                                                              *)
Readable(log) == BeyondAll(base, Continuing(base, Cached(log))).lsn

(* The log forces a segment that it is about to leave: before the batch is written, or when there   *)
(* is none.                                                                                         *)
ForceSegment(w, lsn) ==
  /\ \/ w \in Writers /\ At(w, "write") /\ ~BatchIsWritten(w) /\ lsn = flush.written
     \/ Recovering /\ lsn = recovered.at.lsn
  /\ UNCHANGED vars

(* The trace begins with the opening of a store that has a history: that is durable for good.       *)
Begin(lsn, inc, entries) ==
  LET content == [key \in Keys |-> IF key \in DOMAIN entries THEN entries[key] ELSE Absent]
  IN /\ line = 1
     /\ base' = [lsn |-> lsn, map |-> content, id |-> NoFrame, inc |-> inc]
     /\ incarnation' = inc
     /\ tip' = Version(lsn, content)
     /\ visible' = Version(lsn, content)
     /\ answered' = lsn
     /\ observed' = lsn
     /\ UNCHANGED <<status, chain, thread, leading, cells, tail, recovered, seen>>

(* The step that line l tells.                                                                      *)
Step(l) ==
  CASE l.action = "Begin" -> Begin(l.lsn, l.incarnation, l.entries)
    [] l.action = "Invoke" ->
         Invoke(l.thread, IF l.kind = "BATCH"
                          THEN Batch(l.writes)
                          ELSE Operation(l.kind, l.key, l.expected, l.value))
    [] l.action = "CommitVersion" ->
         /\ \E w \in l.threads : CommitVersion(w)
         /\ tip'.lsn = l.lsn
    [] l.action = "ObserveNoOp" ->
         /\ tip.lsn = l.lsn
         /\ ObserveNoOp(l.thread)
    [] l.action = "Withdraw" -> Withdraw(l.thread)
    [] l.action = "ReadVisible" ->
         /\ TraceWaits
         /\ visible.lsn = l.lsn
         /\ IF l.whole THEN TRUE ELSE visible.map[l.key] = l.result
         /\ ReadVisible
    [] l.action = "RequestSync" -> RequestSync(l.thread, l.lsn)
    [] l.action = "LeaveStage" -> LeaveStage(l.thread, l.stage)
    [] l.action = "CompleteStage" ->
         /\ thread[l.stage].previous = l.previous
         /\ CompleteStage(l.stage)
    [] l.action = "FailStage" -> FailStage(l.stage)
    [] l.action = "AnswerUnforced" ->
         /\ ~TraceWaits
         /\ thread[l.thread].previous = l.previous
         /\ AnswerUnforced(l.thread)
    [] l.action = "ReadTip" ->
         /\ ~TraceWaits
         /\ tip.lsn = l.lsn
         /\ IF l.whole THEN TRUE ELSE tip.map[l.key] = l.result
         /\ ReadTip
    [] l.action = "RecheckStack" -> ~TraceWaits /\ RecheckStack(l.thread)
    [] l.action = "BecomeLeader" ->
         /\ \E w \in l.threads : BecomeLeader(w)
         /\ term' = l.term
    [] l.action = "Enqueue" ->
         /\ thread[l.thread].lsn = l.lsn
         /\ Enqueue(l.thread)
    [] l.action = "RecheckVisible" ->
         /\ visible.lsn = l.lsn
         /\ RecheckVisible(l.thread)
    [] l.action = "Park" ->
         /\ term = l.term
         /\ Park(l.thread)
    [] l.action = "CollectBatch" ->
         /\ SettledLsn(tip) = l.lsn
         /\ CollectBatch(l.thread)
    [] l.action = "WriteFrame" ->
         /\ incarnation = l.incarnation
         /\ flush.written + 1 = l.first
         /\ WriteFrame(l.thread, l.lsn)
    [] l.action = "ForceLog" ->
         IF l.thread \in Writers /\ (BatchIsWritten(l.thread) \/ At(l.thread, "closing"))
         THEN (IF BatchIsWritten(l.thread) THEN flush.written ELSE visible.lsn) = l.lsn
              /\ ForceLog(l.thread)
         ELSE ForceSegment(l.thread, l.lsn)
    [] l.action = "MakeVisible" ->
         /\ MakeVisible(l.thread)
         /\ SettledLsn(visible') = l.lsn
    [] l.action = "DrainWaiters" ->
         /\ stack = l.waiters
         /\ DrainWaiters(l.thread)
    [] l.action = "WakeServed" -> WakeServed(l.thread, l.waiter)
    [] l.action = "HandOver" ->
         /\ HandOver(l.thread, l.waiter)
         /\ term' = l.term
    [] l.action = "ReleaseLeadership" ->
         /\ ReleaseLeadership(l.thread)
         /\ term' = l.term
    [] l.action = "RecheckTip" ->
         /\ SettledLsn(tip) = l.lsn
         /\ RecheckTip(l.thread)
    [] l.action = "Answer" ->
         /\ thread[l.thread].previous = l.previous
         /\ Answer(l.thread)
    [] l.action = "FailStore" -> FailStore(l.thread)
    [] l.action = "AnswerFailure" -> AnswerFailure(l.thread)
    [] l.action = "CloseTip" ->
         /\ tip.lsn = l.lsn
         /\ CloseTip(l.thread)
    [] l.action = "RefuseClosed" -> RefuseClosed(l.thread)
    [] l.action = "WriteClose" ->
         /\ visible.lsn = l.lsn
         /\ WriteClose(l.thread)
    [] l.action = "CloseLog" -> CloseLog(l.thread)
    [] l.action = "Crash" ->
         /\ Crash
         /\ Readable(cells') = l.lsn
    [] l.action = "ReadLog" ->
         /\ ReadLog
         /\ recovered'.at.lsn = l.lsn
    [] l.action = "RewriteTail" -> RewriteTail
    [] l.action = "ForceTail" -> ForceTail
    [] l.action = "OpenIncarnation" ->
         /\ recovered.at.inc + 1 = l.incarnation
         /\ OpenIncarnation
    [] l.action = "FinishRecovery" ->
         /\ FinishRecovery
         /\ visible'.lsn = l.lsn

--------------------------------------------------------------------------------

(* What each thread could do: for the message about a line that nothing explains.                   *)
Possible ==
  [w \in {v \in Writers : ~At(v, "idle")} |->
    {name \in {"CommitVersion", "ObserveNoOp", "Withdraw", "BecomeLeader", "Enqueue", "RecheckVisible",
               "Park", "CollectBatch", "WriteFrame", "ForceLog", "MakeVisible", "DrainWaiters", "WakeServed",
               "HandOver", "ReleaseLeadership", "RecheckTip", "RecheckStack", "Answer",
               "AnswerUnforced", "AnswerFailure",
               "RefuseClosed", "WriteClose", "CloseLog"} :
       CASE name = "CommitVersion"     -> ENABLED CommitVersion(w)
         [] name = "ObserveNoOp"       -> ENABLED ObserveNoOp(w)
         [] name = "Withdraw"          -> ENABLED Withdraw(w)
         [] name = "BecomeLeader"      -> ENABLED BecomeLeader(w)
         [] name = "Enqueue"           -> ENABLED Enqueue(w)
         [] name = "RecheckVisible"    -> ENABLED RecheckVisible(w)
         [] name = "Park"              -> ENABLED Park(w)
         [] name = "CollectBatch"      -> ENABLED CollectBatch(w)
         [] name = "WriteFrame"        -> At(w, "write") /\ ~BatchIsWritten(w)
         [] name = "ForceLog"          -> ENABLED ForceLog(w)
         [] name = "MakeVisible"       -> ENABLED MakeVisible(w)
         [] name = "DrainWaiters"      -> ENABLED DrainWaiters(w)
         [] name = "WakeServed"        -> \E waiter \in pending : ENABLED WakeServed(w, waiter)
         [] name = "HandOver"          -> \E waiter \in pending : ENABLED HandOver(w, waiter)
         [] name = "ReleaseLeadership" -> ENABLED ReleaseLeadership(w)
         [] name = "RecheckTip"        -> ENABLED RecheckTip(w)
         [] name = "RecheckStack"      -> ENABLED RecheckStack(w)
         [] name = "Answer"            -> ENABLED Answer(w)
         [] name = "AnswerUnforced"    -> ENABLED AnswerUnforced(w)
         [] name = "AnswerFailure"     -> ENABLED AnswerFailure(w)
         [] name = "RefuseClosed"      -> ENABLED RefuseClosed(w)
         [] name = "WriteClose"        -> ENABLED WriteClose(w)
         [] name = "CloseLog"          -> ENABLED CloseLog(w)}]

--------------------------------------------------------------------------------

TraceInit ==
  /\ Init
  /\ trace \in 1 .. Traces
  /\ line = 1

NextLine ==
  /\ line <= Lines(trace)
  /\ Step(LineOf(trace, line))
  /\ line' = line + 1
  /\ UNCHANGED trace

TraceNext == NextLine /\ Explained(trace, line, Possible)

TraceSpec == TraceInit /\ [][TraceNext]_allVars

(* Many traces at once: each goes on only from states in which the invariants hold, and one step     *)
(* beyond its last line.                                                                            *)
AllHold ==
  /\ TypeOK
  /\ VisibleIsDurableInv
  /\ AnsweredIsVisibleInv
  /\ ObservedIsDurableInv
  /\ CommitOrderIsLogOrderInv
  /\ NoLostWriteInv
  /\ NoInventedWriteInv
  /\ StaleTailNeverReplaysInv
  /\ RecoveredIsPrefixInv
  /\ BatchAtomicInv
  /\ FailedAcknowledgesNothingInv
  /\ CompletedIsVisibleInv
  /\ SyncedIsDurableInv

EndOfTrace ==
  /\ line = Lines(trace) + 1
  /\ line' = line + 1
  /\ UNCHANGED <<vars, trace>>

(* (As an equation, so that TLC evaluates the invariants instead of looking for steps in them.)     *)
ManyNext == AllHold = TRUE /\ (NextLine \/ EndOfTrace) /\ Explained(trace, line, Possible)

ManySpec == TraceInit /\ [][ManyNext]_allVars
================================================================================
