-------------------------- MODULE DocumentTransaction --------------------------
(*******************************************************************************)
(* Transactions: writes that a client collects for itself and then commits as  *)
(* one change, or drops.  A validated transaction commits only if all that it  *)
(* read still has the value that it had when the transaction began.            *)
(*                                                                             *)
(* A commit is one atomic step here: one CAS on the tip, which gives the whole *)
(* transaction one place in the log.  How that becomes durable and visible, in *)
(* which order it is answered, and what a failing disk does, is in             *)
(* SequencedCommit; this module has the log's tail, which a crash may tear,    *)
(* and readers, who see what is durable.  A batch is a transaction that begins *)
(* and commits in one call.                                                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.Transaction and Batch, and to                       *)
(* org.overlaytrie.commit.SequencedCommit#decide.                              *)
(*******************************************************************************)
EXTENDS MapOperations

CONSTANTS
  Transactions,  \* each has a client of its own, and writes itself as its value
  Validated,     \* those that are validated
  Removed        \* the guards that are taken out: {} but in a negative control

ASSUME ValidatedAreTransactions == Validated \subseteq Transactions
ASSUME ValuesAreTransactions    == Values = Transactions

VARIABLES
  up,       \* whether the store is open
  log,      \* the committed changes: who made each, and what it writes
  visible,  \* how many of them are durable, and seen by readers
  txn       \* what became of each transaction

vars == <<up, log, visible, txn>>

Kept(guard) == guard \notin Removed

Nothing == [key \in {} |-> Absent]

(* `staged` is what it has written, for nobody to see; `read` the keys that it read in the version  *)
(* `start`; `at` the version that it was committed on; `ended` how often it was committed or ended. *)
Unused == [state |-> "unused", start |-> 0, staged |-> Nothing, read |-> {}, at |-> 0, ended |-> 0]

States == {"unused", "open", "committing", "committed", "aborted", "conflicted", "lost"}

TypeOK ==
  /\ up \in BOOLEAN
  /\ visible \in 0 .. Len(log)
  /\ \A i \in DOMAIN log : log[i].by \in Transactions /\ DOMAIN log[i].writes \subseteq Keys
  /\ \A t \in Transactions :
       /\ txn[t].state \in States
       /\ DOMAIN txn[t].staged \subseteq Keys /\ txn[t].read \subseteq Keys
       /\ txn[t].start \in Nat /\ txn[t].at \in Nat /\ txn[t].ended \in Nat

Over(writes, map) == [key \in Keys |-> IF key \in DOMAIN writes THEN writes[key] ELSE map[key]]

(* The map after the first n changes.                                                               *)
RECURSIVE MapAt(_)
MapAt(n) == IF n = 0 THEN EmptyMap ELSE Over(log[n].writes, MapAt(n - 1))

Newest == Len(log)

In(t, state)      == txn[t].state = state
Change(t, writes) == [by |-> t, writes |-> writes]

--------------------------------------------------------------------------------

(* A client begins: it will read what is visible now.                                               *)
Begin(t) ==
  /\ up
  /\ In(t, "unused")
  /\ txn' = [txn EXCEPT ![t].state = "open", ![t].start = visible]
  /\ UNCHANGED <<up, log, visible>>

(* It reads a key that it has not written.  (Its own writes are nobody else's concern.)             *)
Get(t, key) ==
  /\ up
  /\ In(t, "open")
  /\ t \in Validated
  /\ key \notin DOMAIN txn[t].staged
  /\ txn' = [txn EXCEPT ![t].read = @ \cup {key}]
  /\ UNCHANGED <<up, log, visible>>

(* It writes a key, or removes it, for itself.                                                      *)
Stage(t, key, value) ==
  /\ up
  /\ In(t, "open")
  /\ value \in {t, Absent}
  /\ txn' = [txn EXCEPT ![t].staged = [k \in DOMAIN @ \cup {key} |-> IF k = key THEN value ELSE @[k]]]
  /\ log' = IF Kept("StagePrivately") THEN log ELSE Append(log, Change(t, [k \in {key} |-> value]))
  /\ UNCHANGED <<up, visible>>

(* What it read has, in the newest version, the value that it had.  A negative control compares it  *)
(* with what readers see.                                                                           *)
ReadsHold(t) ==
  LET now == MapAt(IF Kept("ValidateInCommit") THEN Newest ELSE visible)
  IN \A key \in txn[t].read : now[key] = MapAt(txn[t].start)[key]

(* The change that writes what was staged of these keys; a negative control makes a change of each. *)
RECURSIVE ChangesOf(_, _)
ChangesOf(t, keys) ==
  IF keys = {}
  THEN <<>>
  ELSE LET part == IF Kept("RecordWhole") THEN keys ELSE {CHOOSE key \in keys : TRUE}
       IN <<Change(t, [key \in part |-> txn[t].staged[key]])>> \o ChangesOf(t, keys \ part)

Staged(t)    == DOMAIN txn[t].staged
Published(t) == UNION {DOMAIN log[i].writes : i \in {j \in DOMAIN log : log[j].by = t}}

(* The CAS on the tip succeeds: all at once, on a version in which all that was read holds.  A      *)
(* negative control publishes one write and goes on later.                                          *)
Commit(t) ==
  \E keys \in IF Kept("CommitAtOnce") THEN {Staged(t)} ELSE {{key} : key \in Staged(t) \ Published(t)} :
    /\ up
    /\ \/ txn[t].state \in {"open", "committing"}
       \/ ~Kept("ConsumeOnce") /\ In(t, "committed")
    /\ Kept("Validate") => ReadsHold(t)
    /\ log' = log \o ChangesOf(t, keys)
    /\ LET whole == Staged(t) \subseteq keys \cup Published(t)
       IN txn' = [txn EXCEPT ![t].at = Newest, ![t].ended = IF whole THEN @ + 1 ELSE @,
                             ![t].state = IF whole THEN "committed" ELSE "committing"]
    /\ UNCHANGED <<up, visible>>

(* Something that it read has changed: it ends without a change, and its client is told.            *)
Conflict(t) ==
  /\ up
  /\ In(t, "open")
  /\ ~ReadsHold(t)
  /\ txn' = [txn EXCEPT ![t].state = "conflicted", ![t].ended = @ + 1]
  /\ UNCHANGED <<up, log, visible>>

(* The client drops it: what was staged is forgotten, and nothing else was ever done.               *)
Abort(t) ==
  /\ up
  /\ \/ In(t, "open")
     \/ ~Kept("AbortUnpublished") /\ In(t, "committing")
     \/ ~Kept("ConsumeOnce") /\ In(t, "committed")
  /\ txn' = [txn EXCEPT ![t].state = "aborted", ![t].ended = @ + 1]
  /\ UNCHANGED <<up, log, visible>>

(* A flush: all that is committed is durable, and readers see it.                                   *)
MakeVisible ==
  /\ up
  /\ visible < Newest
  /\ visible' = Newest
  /\ UNCHANGED <<up, log, txn>>

(* The process or the machine dies.  Of what was not durable a first part is in the log; of the     *)
(* transactions under way nothing is left but, in these variables, the memory of the dead.          *)
Crash ==
  /\ up
  /\ up' = FALSE
  /\ \E n \in visible .. Newest :
       /\ log' = SubSeq(log, 1, n)
       /\ txn' = [t \in Transactions |->
                    IF \/ txn[t].state \in {"open", "committing"}
                       \/ In(t, "committed") /\ txn[t].at + Len(ChangesOf(t, Staged(t))) > n
                    THEN [txn[t] EXCEPT !.state = "lost"]
                    ELSE txn[t]]
  /\ UNCHANGED visible

(* Recovery replays the log, and readers see what it found.                                         *)
Recover ==
  /\ ~up
  /\ up' = TRUE
  /\ visible' = Newest
  /\ UNCHANGED <<log, txn>>

--------------------------------------------------------------------------------

Init ==
  /\ up = TRUE
  /\ log = <<>>
  /\ visible = 0
  /\ txn = [t \in Transactions |-> Unused]

Next ==
  \/ \E t \in Transactions :
       \/ Begin(t)
       \/ \E key \in Keys : Get(t, key)
       \/ \E key \in Keys, value \in {t, Absent} : Stage(t, key, value)
       \/ Commit(t)
       \/ Conflict(t)
       \/ Abort(t)
  \/ MakeVisible
  \/ Crash
  \/ Recover

Spec == Init /\ [][Next]_vars

--------------------------------------------------------------------------------
(* Invariants.                                                                                      *)

(* The places of a transaction's changes among the first n.                                         *)
Places(t, n) == {i \in 1 .. n : log[i].by = t}

(* Readers and recovery see all writes of a transaction or none.                                    *)
TransactionAtomicInv ==
  \A t \in Transactions, n \in {visible, IF up THEN visible ELSE Newest} :
    Places(t, n) # {} =>
      \A key \in DOMAIN txn[t].staged :
        \E i \in Places(t, n) :
          key \in DOMAIN log[i].writes /\ log[i].writes[key] = txn[t].staged[key]

(* A transaction that was aborted, or met a conflict, never has an effect.                          *)
AbortLeavesNoTraceInv ==
  \A t \in Transactions : txn[t].state \in {"aborted", "conflicted"} => Places(t, Newest) = {}

(* Nothing of a transaction that was not committed is in the log, for recovery to replay.           *)
UnfinishedNeverReplaysInv ==
  \A t \in Transactions : txn[t].state \in {"unused", "open", "lost"} =>
    Places(t, Newest) = {}

(* What a validated transaction read has the same value in the version that it was committed on: it *)
(* might as well have done everything at that moment.                                               *)
ValidatedReadsHoldInv ==
  \A t \in Transactions : In(t, "committed") =>
    \A key \in txn[t].read : MapAt(txn[t].at)[key] = MapAt(txn[t].start)[key]

(* A transaction is committed or ended once.                                                        *)
ConsumedOnceInv == \A t \in Transactions : txn[t].ended <= 1
================================================================================
