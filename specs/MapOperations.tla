----------------------------- MODULE MapOperations -----------------------------
(*******************************************************************************)
(* The write operations of a map and what each does to it: shared by the       *)
(* promise (DurableMap) and the protocol (SequencedCommit).                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.spec.OperationKind and, in org.overlaytrie.commit,  *)
(* to what decides whether a write changes anything.  A map is a total         *)
(* function from Keys to Values or Absent.                                     *)
(*******************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Keys,    \* the keys that operations name
  Values,  \* the values that operations write
  Absent   \* what a key without a value holds; comparable with keys and values, and none of them

ASSUME AbsentIsNoValue == Absent \notin Values

Kinds == {"PUT", "REMOVE", "PUT_IF_ABSENT", "REPLACE", "REPLACE_IF", "REMOVE_IF"}

(* A write gives some keys a value, or removes them (Absent): a range of keys is removed by one     *)
(* write, and a value is written to one key.                                                        *)
Write(keys, value) == [keys |-> keys, value |-> value]

(* `value` is what the key is to hold (Absent: it is to be removed); `expected` is what it must     *)
(* hold for REPLACE_IF and REMOVE_IF, and Absent for the other kinds.                               *)
Operation(kind, key, expected, value) ==
  [kind |-> kind, key |-> key, expected |-> expected, value |-> value, writes |-> <<>>, part |-> 0]

(* A batch asks for several writes, in their order, as one change.                                  *)
Batch(writes) ==
  [kind |-> "BATCH", key |-> Absent, expected |-> Absent, value |-> Absent, writes |-> writes,
   part |-> 0]

(* What a negative control makes of a batch: a change of each of its writes.                        *)
Parts(op) == [i \in DOMAIN op.writes |-> [op EXCEPT !.part = i]]

Put(key, value)         == Operation("PUT", key, Absent, value)
Remove(key)             == Operation("REMOVE", key, Absent, Absent)
PutIfAbsent(key, value) == Operation("PUT_IF_ABSENT", key, Absent, value)

IsWrite(write) ==
  /\ write.keys # {} /\ write.keys \subseteq Keys
  /\ write.value \in Values \cup {Absent}
  /\ Cardinality(write.keys) > 1 => write.value = Absent

IsBatch(op) == \A i \in DOMAIN op.writes : IsWrite(op.writes[i])

IsOperationOnKey(op) ==
  /\ op.kind \in Kinds
  /\ op.key \in Keys
  /\ (op.kind \in {"REMOVE", "REMOVE_IF"}) = (op.value = Absent)
  /\ op.value \in Values \cup {Absent}
  /\ (op.kind \in {"REPLACE_IF", "REMOVE_IF"}) = (op.expected # Absent)
  /\ op.expected \in Values \cup {Absent}

IsOperation(op) == IF op.kind = "BATCH" THEN IsBatch(op) ELSE IsOperationOnKey(op)

NoOperation == Operation("NONE", Absent, Absent, Absent)

(* Whether `op` changes `map`.  A PUT always does, even when it writes the value that is there; so  *)
(* does a batch that has one.                                                                       *)
Changes(op, map) ==
  CASE op.kind = "PUT"                        -> TRUE
    [] op.kind \in {"REMOVE", "REPLACE"}      -> map[op.key] # Absent
    [] op.kind = "PUT_IF_ABSENT"              -> map[op.key] = Absent
    [] op.kind \in {"REPLACE_IF", "REMOVE_IF"} -> map[op.key] = op.expected
    [] op.kind = "BATCH" ->
         \E i \in DOMAIN op.writes :
           op.writes[i].value # Absent \/ \E key \in op.writes[i].keys : map[key] # Absent

(* What a change leaves in the log, its writes: enough to repeat it, whatever the map holds.        *)
Record(op) ==
  CASE op.kind # "BATCH" -> <<Write({op.key}, op.value)>>
    [] op.part = 0       -> op.writes
    [] OTHER             -> <<op.writes[op.part]>>

(* (A record of one write, as most are, stands for itself: TLC is slow at recursion.)               *)
Overwritten(write, map) == [key \in Keys |-> IF key \in write.keys THEN write.value ELSE map[key]]

RECURSIVE Replayed(_, _)
Replayed(record, map) ==
  CASE Len(record) = 1 -> Overwritten(record[1], map)
    [] Len(record) = 0 -> map
    [] OTHER           -> Replayed(Tail(record), Overwritten(Head(record), map))

(* The map after `op`, and its answer: what the key held before.  A batch answers nothing.          *)
Apply(op, map) ==
  [map      |-> IF Changes(op, map) THEN Replayed(Record(op), map) ELSE map,
   previous |-> IF op.kind = "BATCH" THEN Absent ELSE map[op.key]]

(* Whether `op` may be taken to change nothing.  A batch may also be seen to leave the map as it is: *)
(* what it puts was there, or it removes that again.                                                *)
MayChangeNothing(op, map) ==
  \/ ~Changes(op, map)
  \/ op.kind = "BATCH" /\ Replayed(Record(op), map) = map

(* The map after replaying the records in order.                                                    *)
RECURSIVE ReplayedAll(_, _)
ReplayedAll(records, map) ==
  IF records = <<>> THEN map ELSE ReplayedAll(Tail(records), Replayed(Head(records), map))

EmptyMap == [key \in Keys |-> Absent]
================================================================================
