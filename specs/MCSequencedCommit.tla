--------------------------- MODULE MCSequencedCommit ---------------------------
EXTENDS SequencedCommit, TLC

CONSTANTS k1, k2, w1, w2, w3, MaxLsn, MaxIncarnation, Crashes, Failures

MCOperations ==
  UNION {{Put(k1, w), PutIfAbsent(k1, w), Put(k2, w)} : w \in Writers} \cup {Remove(k1)}

OperationsOf(w) == {op \in Operations : op.value \in {w, Absent}}

Budget == tip.lsn + Cardinality({w \in Writers : At(w, "invoked")}) < MaxLsn

MCNext ==
  \/ \E w \in Writers : \E op \in OperationsOf(w) : Budget /\ Invoke(w, op)
  \/ \E w \in Writers : ThreadStep(w)
  \/ \E w \in Writers : Failures /\ FailStore(w)
  \/ ReadVisible
  \/ (Crashes /\ Crash)
  \/ (recovered.at.inc < MaxIncarnation /\ RecoveryStep)

MCSpec == Init /\ [][MCNext]_vars
LiveSpec == Init /\ [][MCNext]_vars /\ Fairness

VisibleAdvancesProp == \A lsn \in 1 .. MaxLsn : BecomesVisible(lsn)

Symmetric == Permutations(Writers)
================================================================================
