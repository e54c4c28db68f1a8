--------------------------- MODULE CheckpointWaiters ---------------------------
(*******************************************************************************)
(* Who waits for checkpoints: writers, when the log is at its hard bound, and  *)
(* whoever calls for one.                                                      *)
(*                                                                             *)
(* The log is a row of epochs, each what was written between two checkpoints.  *)
(* Archived epochs are not kept in the state: epochs are counted from the      *)
(* oldest one that is left.                                                    *)
(*                                                                             *)
(* Maps to org.overlaytrie.checkpoint and, for writers,                        *)
(* org.overlaytrie.commit.  Left out: clocks (a request may come at any time), *)
(* and what is large in bytes.                                                 *)
(*******************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Writers,  \* the threads that write
  Trigger,  \* a checkpoint begins when so much was written since the last; positive
  Hard,     \* writers wait when the log is so large; positive
  Removed   \* the guards that are taken out: {} but in a negative control

VARIABLES
  epochs,  \* that are not archived, oldest first; the last one is ACTIVE
  image,   \* how many of them are in a durable image
  slots,   \* how many of them the checkpoint covers that each slot names, durably
  turn,    \* the slot that is written next
  step,    \* of the checkpoint under way: "NONE", "CAPTURED", "FORCED"
  wanted,  \* whether somebody wants a checkpoint
  writer,  \* what each writer does
  caller   \* what somebody does who calls for a checkpoint, and how many epochs that is to cover

vars == <<epochs, image, slots, turn, step, wanted, writer, caller>>

Kept(guard) == guard \notin Removed

Places             == {0, 1}
Epoch(state, size) == [state |-> state, size |-> size]

Active == epochs[Len(epochs)]

RECURSIVE Size(_)
Size(log) == IF log = <<>> THEN 0 ELSE Head(log).size + Size(Tail(log))

Retained  == Size(epochs)
Behind(n) == Size(SubSeq(epochs, n + 1, Len(epochs)))

Below(n)   == IF n = 0 THEN 0 ELSE n - 1
Waits(w)   == writer[w] \in {"slowed", "tried"}
Goto(w, s) == writer' = [writer EXCEPT ![w] = s]

TypeOK ==
  /\ \A i \in DOMAIN epochs :
       /\ epochs[i].state \in {"ACTIVE", "SEALING", "DURABLE"} /\ epochs[i].size \in Nat
       /\ (epochs[i].state = "ACTIVE") = (i = Len(epochs))
  /\ turn \in Places
  /\ step \in {"NONE", "CAPTURED", "FORCED"}
  /\ \A w \in Writers : writer[w] \in {"idle", "admitted", "slowed", "tried", "refused"}
  /\ caller.pc \in {"idle", "waiting", "returned"}

--------------------------------------------------------------------------------
(* Writers.                                                                                         *)

(* A writer finds the log below its bound.                                                          *)
Admit(w) ==
  /\ writer[w] = "idle"
  /\ Retained < Hard \/ ~Kept("SlowWriters")
  /\ Goto(w, "admitted")
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, caller>>

(* It writes.  Others that were admitted may have written meanwhile.                                *)
WriteFrame(w) ==
  /\ writer[w] = "admitted"
  /\ Goto(w, "idle")
  /\ epochs' = [epochs EXCEPT ![Len(epochs)].size = @ + 1]
  /\ UNCHANGED <<image, slots, turn, step, wanted, caller>>

(* A writer finds the log at its bound and waits: for the checkpoint under way and, should that     *)
(* fail, one more; or for the one that it begins.                                                   *)
SlowWriter(w) ==
  /\ writer[w] = "idle"
  /\ Retained >= Hard
  /\ Goto(w, IF step = "NONE" THEN "tried" ELSE "slowed")
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, caller>>

(* It finds the log below its bound.                                                                *)
ResumeWriter(w) ==
  /\ Waits(w)
  /\ Retained < Hard
  /\ Goto(w, "admitted")
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, caller>>

(* Its write throws, without effect: checkpoints fail.                                              *)
RefuseWriter(w) ==
  /\ writer[w] = "refused"
  /\ Goto(w, "idle")
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, caller>>

--------------------------------------------------------------------------------
(* Callers.                                                                                         *)

(* Time has passed.                                                                                 *)
RequestCheckpoint ==
  /\ ~wanted
  /\ wanted' = TRUE
  /\ UNCHANGED <<epochs, image, slots, turn, step, writer, caller>>

(* Somebody calls for a checkpoint of all that is there.  One under way has captured less: that it  *)
(* covers what it waits for is only so if nothing was written since.                                *)
CallCheckpoint ==
  LET all == IF Active.size > 0 /\ Kept("WaitForTheNext") THEN Len(epochs) ELSE Len(epochs) - 1
  IN /\ caller.pc = "idle"
     /\ caller' = [pc |-> "waiting", covers |-> all,
                   asked |-> IF Active.size > 0 THEN Len(epochs) ELSE all]
     /\ wanted' = (wanted \/ Active.size > 0)
     /\ UNCHANGED <<epochs, image, slots, turn, step, writer>>

(* The call returns.                                                                                *)
ReturnFromCall ==
  /\ caller.pc = "waiting"
  /\ slots[0] >= caller.covers \/ slots[1] >= caller.covers
  /\ caller' = [caller EXCEPT !.pc = "returned"]
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, writer>>

NoCall   == [pc |-> "idle", covers |-> 0, asked |-> 0]

(* It has.                                                                                          *)
EndCall ==
  /\ caller.pc = "returned"
  /\ caller' = NoCall
  /\ UNCHANGED <<epochs, image, slots, turn, step, wanted, writer>>
================================================================================
