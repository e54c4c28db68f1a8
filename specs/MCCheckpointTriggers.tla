-------------------------- MODULE MCCheckpointTriggers --------------------------
(*******************************************************************************)
(* CheckpointTriggers needs no bounds but those of its constants: two writers, *)
(* of which one waits while the other was admitted at the last moment; a       *)
(* trigger of 1 or 2 and a hard bound of 3, so that an epoch is sealed while   *)
(* the one before is durable in one slot and the next is being written.        *)
(*                                                                             *)
(* States that must be reachable: each invariant says "never" and must be      *)
(* refuted.                                                                    *)
(*******************************************************************************)
EXTENDS CheckpointTriggers

LiveSpec == Spec /\ Fairness

(* The log is as large as it may become.                                                            *)
NeverFullInv == Retained < MaxLog

(* A writer is refused, after it had waited for a checkpoint under way and for another.             *)
NeverRefusedInv == \A w \in Writers : writer[w] # "refused"

(* All states of epochs at once.                                                                    *)
NeverInAllStatesInv ==
  ~(\A state \in {"ACTIVE", "SEALING", "DURABLE"} :
      \E i \in DOMAIN epochs : epochs[i].state = state /\ epochs[i].size > 0)
================================================================================
