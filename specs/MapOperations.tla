----------------------------- MODULE MapOperations -----------------------------
(*******************************************************************************)
(* The write operations of a map and what each does to it: shared by the       *)
(* promise (DurableMap) and the protocol (SequencedCommit).                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.spec.OperationKind and, in org.overlaytrie.commit,  *)
(* to what decides whether a write changes anything.  A map is a total         *)
(* function from Keys to Values or Absent.                                     *)
(*******************************************************************************)
EXTENDS Naturals, Sequences

CONSTANTS
  Keys,    \* the keys that operations name
  Values,  \* the values that operations write
  Absent   \* what a key without a value holds; comparable with keys and values, and none of them

ASSUME AbsentIsNoValue == Absent \notin Values

Kinds == {"PUT", "REMOVE", "PUT_IF_ABSENT", "REPLACE", "REPLACE_IF", "REMOVE_IF"}

(* `value` is what the key is to hold (Absent: it is to be removed); `expected` is what it must     *)
(* hold for REPLACE_IF and REMOVE_IF, and Absent for the other kinds.                               *)
Operation(kind, key, expected, value) ==
  [kind |-> kind, key |-> key, expected |-> expected, value |-> value]

Put(key, value)         == Operation("PUT", key, Absent, value)
Remove(key)             == Operation("REMOVE", key, Absent, Absent)
PutIfAbsent(key, value) == Operation("PUT_IF_ABSENT", key, Absent, value)

IsOperation(op) ==
  /\ op.kind \in Kinds
  /\ op.key \in Keys
  /\ (op.kind \in {"REMOVE", "REMOVE_IF"}) = (op.value = Absent)
  /\ op.value \in Values \cup {Absent}
  /\ (op.kind \in {"REPLACE_IF", "REMOVE_IF"}) = (op.expected # Absent)
  /\ op.expected \in Values \cup {Absent}

NoOperation == Operation("NONE", Absent, Absent, Absent)

(* Whether `op` changes `map`.  A PUT always does, even when it writes the value that is there.     *)
Changes(op, map) ==
  CASE op.kind = "PUT"                        -> TRUE
    [] op.kind \in {"REMOVE", "REPLACE"}      -> map[op.key] # Absent
    [] op.kind = "PUT_IF_ABSENT"              -> map[op.key] = Absent
    [] op.kind \in {"REPLACE_IF", "REMOVE_IF"} -> map[op.key] = op.expected

(* What a change leaves in the log: enough to repeat it, whatever the map holds.                    *)
Record(op) == [key |-> op.key, value |-> op.value]

Replayed(record, map) == [map EXCEPT ![record.key] = record.value]

(* The map after `op`, and its answer: what the key held before.                                    *)
Apply(op, map) ==
  [map      |-> IF Changes(op, map) THEN Replayed(Record(op), map) ELSE map,
   previous |-> map[op.key]]

(* The map after replaying the records in order.                                                    *)
RECURSIVE ReplayedAll(_, _)
ReplayedAll(records, map) ==
  IF records = <<>> THEN map ELSE ReplayedAll(Tail(records), Replayed(Head(records), map))

EmptyMap == [key \in Keys |-> Absent]
================================================================================
