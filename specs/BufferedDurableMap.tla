--------------------------- MODULE BufferedDurableMap ---------------------------
(*******************************************************************************)
(* What users are promised who do not wait for the disk.  A map; clients       *)
(* invoke operations, each takes effect at one moment between its invocation   *)
(* and its answer, and readers see that at once.  A crash takes back a suffix  *)
(* of what took effect, and nothing that a sync covered which was answered.    *)
(* An operation is taken back whole or not at all.                             *)
(*                                                                             *)
(* This is buffered durable linearizability: Izraelevitz, Mendes, Scott,       *)
(* Linearizability of Persistent Memory Objects Under a Full-System-Crash      *)
(* Failure Model, DISC 2016.                                                   *)
(*                                                                             *)
(* Maps to org.overlaytrie.OverlayTrie with Durability PERIODIC or NONE.  Left *)
(* out: how long PERIODIC waits before it makes something durable by itself.   *)
(*******************************************************************************)
EXTENDS MapOperations

CONSTANTS
  Clients,    \* those who invoke operations and syncs, one at a time each
  Operations  \* the write operations that they may invoke

ASSUME OperationsAreOperations == \A op \in Operations : IsOperation(op)

VARIABLES
  up,       \* whether the store is open
  map,      \* what it holds, for everybody
  durable,  \* what it would at least hold after a crash
  recent,   \* the changes that lead from there to the map, in the order in which they took effect
  client,   \* what each client is waiting for, or about to be told
  seen      \* the map as the latest read saw it

vars == <<up, map, durable, recent, client, seen>>

(* `behind` says of a sync how many of the recent changes it still waits for.                       *)
IdleClient == [state |-> "idle", op |-> NoOperation, result |-> Absent, behind |-> 0]

TypeOK ==
  /\ up \in BOOLEAN
  /\ DOMAIN map = Keys /\ DOMAIN durable = Keys /\ DOMAIN seen = Keys
  /\ \A c \in Clients : client[c].state \in {"idle", "pending", "done", "syncing"}

Become(c, state) == client' = [client EXCEPT ![c].state = state]
Forget(c)        == client' = [client EXCEPT ![c] = IdleClient]

(* The map after the first changes took effect one after the other.                                 *)
After(n, m) == ReplayedAll([i \in 1 .. n |-> Record(recent[i])], m)

--------------------------------------------------------------------------------

(* A client asks for an operation.                                                                  *)
Invoke(c, op) ==
  /\ up
  /\ client[c].state = "idle"
  /\ client' = [client EXCEPT ![c].state = "pending", ![c].op = op]
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* Its operation takes effect.                                                                      *)
TakeEffect(c) ==
  LET effect == Apply(client[c].op, map)
  IN /\ up
     /\ client[c].state = "pending"
     /\ map' = effect.map
     /\ \/ Changes(client[c].op, map) /\ recent' = Append(recent, client[c].op)
        \/ MayChangeNothing(client[c].op, map) /\ recent' = recent
     /\ client' = [client EXCEPT ![c].state = "done", ![c].result = effect.previous]
     /\ UNCHANGED <<up, durable, seen>>

(* It is told the result.                                                                           *)
Answer(c) ==
  /\ up
  /\ client[c].state = "done"
  /\ Forget(c)
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* It is told that the store is closed: the operation never takes effect.                           *)
Refuse(c) ==
  /\ up
  /\ client[c].state = "pending"
  /\ Forget(c)
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* It is told that the store has failed.  What it asked for may have taken effect.                  *)
AnswerFailure(c) ==
  /\ up
  /\ client[c].state # "idle"
  /\ Forget(c)
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* A client asks that what has taken effect, or the first n changes of it, become durable.          *)
RequestSync(c, n) ==
  /\ up
  /\ client[c].state = "idle"
  /\ client' = [client EXCEPT ![c].state = "syncing", ![c].behind = n]
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* The first n changes become durable.                                                              *)
Persist(n) ==
  /\ up
  /\ durable' = After(n, durable)
  /\ recent' = SubSeq(recent, n + 1, Len(recent))
  /\ client' = [c \in Clients |->
                 [client[c] EXCEPT !.behind = IF @ > n THEN @ - n ELSE 0]]
  /\ UNCHANGED <<up, map, seen>>

(* A client is told that what it asked to be durable is.                                            *)
AnswerSync(c) ==
  /\ up
  /\ client[c].state = "syncing"
  /\ client[c].behind = 0
  /\ Forget(c)
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* A client leaves what it waits for to another, who is told in its place.                          *)
Delegate(c, d) ==
  /\ up
  /\ client[c].state # "idle"
  /\ client[d].state = "idle"
  /\ client' = [client EXCEPT ![c] = IdleClient, ![d] = client[c]]
  /\ UNCHANGED <<up, map, durable, recent, seen>>

(* Somebody reads.                                                                                  *)
Read ==
  /\ up
  /\ seen' = map
  /\ UNCHANGED <<up, map, durable, recent, client>>

(* The process ends without warning: its clients are gone.                                          *)
Crash ==
  /\ up
  /\ up' = FALSE
  /\ client' = [c \in Clients |-> IdleClient]
  /\ UNCHANGED <<map, durable, recent, seen>>

(* The store opens again, without a suffix of the recent changes.                                   *)
Recover ==
  /\ ~up
  /\ up' = TRUE
  /\ \E n \in 0 .. Len(recent) : map' = After(n, durable)
  /\ durable' = map'
  /\ recent' = <<>>
  /\ seen' = map'
  /\ UNCHANGED client

--------------------------------------------------------------------------------

Init ==
  /\ up = FALSE
  /\ map = EmptyMap /\ durable = EmptyMap /\ recent = <<>>
  /\ client = [c \in Clients |-> IdleClient]
  /\ seen = EmptyMap

Next ==
  \/ Crash
  \/ Recover
  \/ Read
  \/ \E n \in 1 .. Len(recent) : Persist(n)
  \/ \E c \in Clients :
       \/ TakeEffect(c)
       \/ Answer(c)
       \/ AnswerSync(c)
       \/ AnswerFailure(c)
       \/ Refuse(c)
       \/ \E n \in 0 .. Len(recent) : RequestSync(c, n)
       \/ \E op \in Operations : Invoke(c, op)
       \/ \E d \in Clients : Delegate(c, d)

Spec == Init /\ [][Next]_vars
================================================================================
