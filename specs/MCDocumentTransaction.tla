------------------------- MODULE MCDocumentTransaction -------------------------
(*******************************************************************************)
(* DocumentTransaction within bounds that TLC can exhaust, and states that     *)
(* these bounds must admit.                                                    *)
(*                                                                             *)
(* Two keys.  Two transactions are validated and make up to two calls: each    *)
(* reads what the other writes, or writes both keys and is half done.  A third *)
(* sets or removes one key, where a validated one has read it, or after a      *)
(* crash took a commit.                                                        *)
(*******************************************************************************)
EXTENDS DocumentTransaction, TLC

CONSTANTS
  k1, k2,     \* the keys
  t1, t2, t3  \* the transactions; the first two are validated

Symmetry == Permutations({k1, k2}) \cup Permutations({t1, t2})

MayCall(t, key) ==
  /\ key \notin Staged(t) \cup txn[t].read
  /\ Cardinality(Staged(t)) + Cardinality(txn[t].read) < IF t \in Validated THEN 2 ELSE 1

MCGet(t, key) == MayCall(t, key) /\ Get(t, key)

MCStage(t, key, value) ==
  /\ MayCall(t, key)
  /\ value = Absent => t \notin Validated
  /\ Stage(t, key, value)

MCNext ==
  \/ \E t \in Transactions :
       \/ Begin(t)
       \/ \E key \in Keys : MCGet(t, key)
       \/ \E key \in Keys, value \in {t, Absent} : MCStage(t, key, value)
       \/ Commit(t)
       \/ Conflict(t)
       \/ Abort(t)
  \/ MakeVisible
  \/ Crash
  \/ Recover

MCSpec == Init /\ [][MCNext]_vars

--------------------------------------------------------------------------------
(* States that must be reachable: each invariant says "never" and must be refuted.                  *)

(* Of two validated transactions that read what the other wrote, one commits and one meets a        *)
(* conflict.                                                                                        *)
NeverConflictsInv ==
  ~ \E t, u \in Transactions : In(t, "committed") /\ In(u, "conflicted") /\ txn[t].read # {}

(* A crash takes a commit, another transaction commits after it, and readers see that.              *)
NeverGoesOnAfterALossInv ==
  ~ \E t, u \in Transactions :
      /\ In(t, "lost") /\ txn[t].ended = 1 /\ txn[t].staged # Nothing
      /\ In(u, "committed") /\ Places(u, visible) # {} /\ txn[u].start >= txn[t].at
================================================================================
