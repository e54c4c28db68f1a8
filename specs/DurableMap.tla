------------------------------ MODULE DurableMap ------------------------------
(*******************************************************************************)
(* What users are promised.  A map; clients invoke operations, each takes      *)
(* effect at one moment between its invocation and its answer.  A crash        *)
(* forgets the clients; every operation then pending either takes effect       *)
(* before anybody sees the map again, or never does.  What was answered or     *)
(* observed by anyone is never taken back: no action ever undoes an effect.    *)
(*                                                                             *)
(* Maps to org.overlaytrie.OverlayTrie with Durability SYNC or GROUP.  Left    *)
(* out: iteration and navigation (a read here sees the whole map, which        *)
(* answers every question about it), and everything about speed or space.      *)
(*******************************************************************************)
EXTENDS MapOperations, FiniteSets, Bags

CONSTANTS
  Clients,    \* those who invoke write operations, one at a time each
  Operations  \* the write operations that they may invoke

ASSUME OperationsAreOperations == \A op \in Operations : IsOperation(op)

VARIABLES
  up,      \* whether the store is open
  map,     \* what it holds, for everybody, for ever
  client,  \* what each client is waiting for, or about to be told
  limbo,   \* a bag: operations whose client is gone, and which may still take effect at the next open
  seen     \* the map as the latest read saw it

vars == <<up, map, client, limbo, seen>>

IdleClient == [state |-> "idle", op |-> NoOperation, result |-> Absent]

TypeOK ==
  /\ up \in BOOLEAN
  /\ DOMAIN map = Keys
  /\ \A c \in Clients : client[c].state \in {"idle", "pending", "done"}
  /\ IsABag(limbo)
  /\ DOMAIN seen = Keys

--------------------------------------------------------------------------------

Pending == {c \in Clients : client[c].state = "pending"}

(* All sequences of distinct elements of a set.                                                     *)
Orders(set) ==
  UNION {{order \in [1 .. n -> set] : \A i, j \in 1 .. n : i # j => order[i] # order[j]} :
           n \in 0 .. Cardinality(set)}

(* The map and the clients after the pending operations of `order` took effect one after the other. *)
RECURSIVE InOrder(_, _, _)
InOrder(order, m, cs) ==
  IF order = <<>>
  THEN [map |-> m, client |-> cs]
  ELSE LET c == Head(order)
           effect == Apply(cs[c].op, m)
       IN InOrder(Tail(order), effect.map,
                  [cs EXCEPT ![c].state = "done", ![c].result = effect.previous])

(* The map after operations that nobody waits for took effect one after the other.                  *)
RECURSIVE Unattended(_, _)
Unattended(ops, m) ==
  IF ops = <<>> THEN m ELSE Unattended(Tail(ops), Apply(Head(ops), m).map)

(* The bag of the operations that these clients wait for.                                           *)
OperationsOf(cs) ==
  [op \in {client[c].op : c \in cs} |-> Cardinality({c \in cs : client[c].op = op})]

LimboCopies == UNION {{<<op, i>> : i \in 1 .. limbo[op]} : op \in BagToSet(limbo)}

--------------------------------------------------------------------------------

(* A client asks for an operation.                                                                  *)
Invoke(c, op) ==
  /\ up
  /\ client[c].state = "idle"
  /\ client' = [client EXCEPT ![c] = [state |-> "pending", op |-> op, result |-> Absent]]
  /\ UNCHANGED <<up, map, limbo, seen>>

(* Some pending operations take effect, one after the other, with nothing visible in between.       *)
TakeEffect ==
  /\ up
  /\ \E order \in Orders(Pending) :
       /\ order # <<>>
       /\ LET effect == InOrder(order, map, client)
          IN map' = effect.map /\ client' = effect.client
  /\ UNCHANGED <<up, limbo, seen>>

(* A client is told the result of its operation, which has taken effect.                            *)
Answer(c) ==
  /\ up
  /\ client[c].state = "done"
  /\ client' = [client EXCEPT ![c] = IdleClient]
  /\ UNCHANGED <<up, map, limbo, seen>>

(* A client is told that the store failed: its operation has not taken effect, and does so at the   *)
(* next open or never.                                                                              *)
AnswerFailure(c) ==
  /\ up
  /\ client[c].state = "pending"
  /\ client' = [client EXCEPT ![c] = IdleClient]
  /\ limbo' \in {limbo, limbo (+) SetToBag({client[c].op})}
  /\ UNCHANGED <<up, map, seen>>

(* A client is told that the store is closed: its operation never takes effect.                     *)
Refuse(c) ==
  /\ up
  /\ client[c].state = "pending"
  /\ client' = [client EXCEPT ![c] = IdleClient]
  /\ UNCHANGED <<up, map, limbo, seen>>

(* A client leaves what it waits for to another, who is told in its place: a call that returned a   *)
(* stage before its operation was done.                                                             *)
Delegate(c, d) ==
  /\ up
  /\ client[c].state # "idle"
  /\ client[d].state = "idle"
  /\ client' = [client EXCEPT ![c] = IdleClient, ![d] = client[c]]
  /\ UNCHANGED <<up, map, limbo, seen>>

(* Somebody reads.                                                                                  *)
Read ==
  /\ up
  /\ seen' = map
  /\ UNCHANGED <<up, map, client, limbo>>

(* The process ends without warning: its clients are gone, and of the pending operations some may   *)
(* still take effect, the others never will.                                                        *)
Crash ==
  /\ up
  /\ up' = FALSE
  /\ client' = [c \in Clients |-> IdleClient]
  /\ \E gone \in SUBSET Pending : limbo' = limbo (+) OperationsOf(gone)
  /\ UNCHANGED <<map, seen>>

(* The store opens again: some of the operations in limbo have taken effect, the rest never will,   *)
(* and whoever opened it may have read the map.                                                     *)
Recover ==
  /\ ~up
  /\ up' = TRUE
  /\ \E order \in Orders(LimboCopies) :
       map' = Unattended([i \in DOMAIN order |-> order[i][1]], map)
  /\ limbo' = EmptyBag
  /\ seen' = map'
  /\ UNCHANGED client

--------------------------------------------------------------------------------

Init ==
  /\ up = FALSE
  /\ map = EmptyMap
  /\ client = [c \in Clients |-> IdleClient]
  /\ limbo = EmptyBag
  /\ seen = EmptyMap

(* (What is quick to refute stands first: TLC asks in this order, for every step of the protocol.)  *)
Next ==
  \/ Crash
  \/ Recover
  \/ Read
  \/ \E c \in Clients :
       \/ Answer(c)
       \/ AnswerFailure(c)
       \/ Refuse(c)
       \/ \E op \in Operations : Invoke(c, op)
       \/ \E d \in Clients : Delegate(c, d)
  \/ TakeEffect

Spec == Init /\ [][Next]_vars
================================================================================
