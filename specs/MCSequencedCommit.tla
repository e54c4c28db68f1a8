--------------------------- MODULE MCSequencedCommit ---------------------------
(*******************************************************************************)
(* SequencedCommit within bounds that TLC can exhaust, and states that these   *)
(* bounds must admit.                                                          *)
(*                                                                             *)
(* Which operation changes what does not touch how threads interleave, so most *)
(* configurations let the n-th change be the n-th of a script, over two keys,  *)
(* and leave all kinds of operations to MCSequencedCommitKinds.  Every value   *)
(* is new (incarnation and LSN), so that no mix-up of records goes unseen.     *)
(*******************************************************************************)
EXTENDS SequencedCommit, TLC

CONSTANTS
  k1, k2,          \* the keys
  MaxLsn,          \* 2: a leader forces the first change, hands over to the waiter of the second,
                   \*    and the crash of a flush of both tears the first frame and keeps the second.
                   \* 3: one flush serves three threads, in up to three frames
  MaxIncarnation,  \* 2: the store opens, crashes, opens in two attempts with a crash in between,
                   \*    writes over a stale tail, crashes again, and recovery reads both lives
  MaxBusy,         \* in lives up to this one several threads write at once
  AllKinds,        \* whether operations are free, or follow the script
  NoOps,           \* whether there are operations that change nothing
  Reads,           \* whether there are readers
  Crashes,         \* whether there are crashes
  Failures,        \* whether writes and forces fail
  Closes           \* whether the store is closed, in its first life

ASSUME WritersAreOrdered == Writers \subseteq Nat

MCValues == (0 .. MaxIncarnation) \X (1 .. MaxLsn)

Fresh == <<incarnation, tip.lsn + 1>>

Scripted(lsn, value) ==
  CASE lsn % 3 = 1 -> PutIfAbsent(k1, value)
    [] lsn % 3 = 2 -> Put(k2, value)
    [] lsn % 3 = 0 -> Remove(k1)

(* The same with batches: one removes all keys and writes one of them, one writes both.             *)
ScriptedBatches(lsn, value) ==
  IF lsn % 2 = 1
  THEN Batch(<<Write({k1, k2}, Absent), Write({k2}, value)>>)
  ELSE Batch(<<Write({k1}, value), Write({k2}, value)>>)

(* ... and two that find nothing to change: one without writes, one that removes what is not there. *)
MCBatches ==
  {Scripted(lsn, value) : lsn \in 1 .. 2, value \in Values}
    \cup {Batch(<<>>), Batch(<<Write({k1}, Absent)>>)}

MCOperations ==
  IF AllKinds
  THEN {op \in {Operation(kind, k1, expected, value) :
                  kind \in Kinds, expected \in Values \cup {Absent}, value \in Values \cup {Absent}} :
          IsOperation(op)}
  ELSE UNION {{PutIfAbsent(k1, value), Put(k2, value)} : value \in Values} \cup {Remove(k1)}

(* What a thread has left behind on the stack, while it went on.                                    *)
LeftBehind(w) == {waiter.lsn : waiter \in {x \in stack \cup pending : x.who = w}}

(* Of idle threads that nothing tells apart only the first invokes, one at a time; after a crash    *)
(* threads write one after the other.  An operation that changes nothing, on a map that is wholly   *)
(* visible, is a read; one is under way at a time, and takes the place of a change.                 *)
MayInvoke(w, op) ==
  /\ \A v \in Writers :
       /\ ~At(v, "invoked")
       /\ v < w /\ At(v, "idle") => LeftBehind(v) # LeftBehind(w)
       /\ incarnation > MaxBusy => At(v, "idle")
  /\ status = "open" \/ AllKinds
  /\ ~tip.closed
  /\ op.value \in {Fresh, Absent}
  /\ tip.lsn + Cardinality({v \in Writers : thread[v].noop}) < MaxLsn
  /\ \/ Changes(op, tip.map) /\ (AllKinds \/ op = Scripted(tip.lsn + 1, Fresh))
     \/ /\ ~Changes(op, tip.map)
        /\ NoOps
        /\ tip.lsn > visible.lsn
        /\ \A v \in Writers : ~thread[v].noop

(* The closing thread is one of the idle threads in the same way, and takes the place of a change.  *)
(* Of two lives only the first is closed: the second shows what is made of it.                      *)
MayCloseTip(w) ==
  /\ incarnation = 1
  /\ \A v \in Writers : v < w /\ At(v, "idle") => LeftBehind(v) # LeftBehind(w)
  /\ tip.lsn + Cardinality({v \in Writers : thread[v].noop}) < MaxLsn

MCInvoke(w, op)  == MayInvoke(w, op) /\ Invoke(w, op)
MCWithdraw(w)    == Reads /\ Withdraw(w)
MCReadVisible    == Reads /\ ReadVisible
MCFailStore(w)   == Failures /\ FailStore(w)
MCCloseTip(w)    == Closes /\ MayCloseTip(w) /\ CloseTip(w)
MCCrash          == Crashes /\ Crash
MCFailRecovery   == Failures /\ FailRecovery

(* (Who withdraws was as good as never there: configurations without readers leave that out too.)   *)

(* The recovery that would open one life too many goes as far as that.                              *)
MCOpenIncarnation == recovered.at.inc < MaxIncarnation /\ OpenIncarnation

MCNext ==
  \/ \E w \in Writers : \E op \in Operations : MCInvoke(w, op)
  \/ \E w \in Writers : ThreadStep(w)
  \/ \E w \in Writers : MCWithdraw(w)
  \/ \E w \in Writers : MCFailStore(w)
  \/ \E w \in Writers : MCCloseTip(w)
  \/ MCReadVisible
  \/ MCCrash
  \/ ReadLog
  \/ RewriteTail
  \/ ForceTail
  \/ MCOpenIncarnation
  \/ FinishRecovery
  \/ MCFailRecovery

MCSpec   == Init /\ [][MCNext]_vars
LiveSpec == MCSpec /\ Fairness

(* Every change that is committed becomes visible, unless the store fails or its process dies.      *)
VisibleAdvancesProp == \A lsn \in 1 .. MaxLsn : BecomesVisible(lsn)

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* The leadership passes to a waiter.                                                               *)
NeverHandsOverInv == \A w \in Writers : thread[w].flag # "PROMOTED"

(* The closing thread sleeps, and is handed the leadership.                                         *)
NeverHandsOverToCloserInv ==
  \A w \in Writers : ~(Closing(w) /\ At(w, "parked") /\ thread[w].flag = "PROMOTED")

(* One flush makes three changes durable.                                                           *)
NeverFlushesThreeInv == \A w \in Writers : At(w, "publish") => flush.end.lsn < visible.lsn + 3

(* Of two frames of one flush, a crash tears the first and leaves the second.                       *)
NeverTearsTheFirstOfTwoInv ==
  status = "down" =>
    \A i \in 1 .. Len(cells) - 1 :
      ~(cells[i].cached.torn /\ cells[i + 1].cached.kind = "DATA" /\ Sound(cells[i + 1].cached))

(* Recovery crashes after it wrote its opening frame, and that frame is still there.                *)
NeverCrashesInRecoveryInv ==
  status = "down" /\ incarnation > 0 =>
    \A i \in DOMAIN cells : ~(Sound(cells[i].cached) /\ cells[i].cached.inc > incarnation)

(* Right behind the log's end lies a frame of an earlier life that carries the next LSN.            *)
NeverLeavesAStaleTailInv ==
  status = "open" /\ 0 < tail /\ tail < Len(cells) =>
    LET stale == cells[tail + 1].cached
    IN ~(Sound(stale) /\ stale.inc < incarnation
         /\ stale.first = BeyondAll(base, Cached(SubSeq(cells, 1, tail))).lsn + 1)

(* An operation that changes nothing sleeps until another's change is visible.                      *)
NeverWaitsForAnotherInv ==
  \A w \in Writers : ~(At(w, "parked") /\ thread[w].noop /\ thread[w].lsn > visible.lsn)

(* The store fails while a thread sleeps.                                                           *)
NeverFailsOverASleeperInv == \A w \in Writers : ~(status = "failed" /\ Asleep(w))
================================================================================
