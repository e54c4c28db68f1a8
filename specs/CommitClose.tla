------------------------------ MODULE CommitClose ------------------------------
(*******************************************************************************)
(* Closing the store, by a thread that does nothing else.  It closes the tip,  *)
(* and from there on is like the writer of one more change: it waits until the *)
(* closed tip is visible, and leads if it falls to it.  Behind that version    *)
(* comes no other, so nobody writes the log any more, and it may end it.       *)
(*                                                                             *)
(* Maps to org.overlaytrie.commit.SequencedCommit#close and to                 *)
(* WriteAheadLog#close, #abandon.  Left out: a second call, which waits for    *)
(* the first.                                                                  *)
(*******************************************************************************)
EXTENDS CommitThreads

(* The CAS on the tip succeeds: the same version again, closed.  (Also in a store that has failed.) *)
CloseTip(w) ==
  /\ Running
  /\ At(w, "idle")
  /\ ~tip.closed
  /\ tip' = [tip EXCEPT !.closed = TRUE]
  /\ thread' = [thread EXCEPT ![w].pc = "await", ![w].lsn = Never]
  /\ UNCHANGED <<status, incarnation, visible, chain, leading, disk, recovered, told>>

(* An operation finds the tip closed and throws: it has no effect.                                  *)
RefuseClosed(w) ==
  /\ Running
  /\ At(w, "invoked")
  /\ tip.closed
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, disk, recovered, told>>

(* The closing thread finds the closed version visible.  A negative control does not wait for that. *)
MayClose(w) ==
  /\ Running
  /\ Closing(w)
  /\ MayLeave(w)
  /\ visible.closed \/ ~Kept("CloseWaits")

(* It writes the closing frame.                                                                     *)
WriteClose(w) ==
  LET log == Collapsed
      frame == Frame("CLOSE", incarnation, visible.lsn + 1, <<>>, LastIdentity(log), visible.lsn)
  IN /\ MayClose(w)
     /\ base' = log.base
     /\ cells' = Written(log.cells, log.tail + 1, frame)
     /\ tail' = log.tail + 1
     /\ Goto(w, "closing")
     /\ UNCHANGED <<status, incarnation, memory, leading, recovered, told>>

(* It closes the files: the closing frame is forced (ForceLog), or was not to be had, or the store  *)
(* has failed, and then the log is left as it is.  Nothing comes after this but the end of the      *)
(* process.                                                                                         *)
CloseLog(w) ==
  /\ \/ At(w, "closed") /\ UNCHANGED cells
     \/ At(w, "closing") /\ cells' = ForceFailed(cells)
     \/ MayClose(w) /\ UNCHANGED cells
     \/ status = "failed" /\ Closing(w) /\ MayLeave(w) /\ UNCHANGED cells
  /\ thread' = [thread EXCEPT ![w] = IdleThread]
  /\ UNCHANGED <<status, incarnation, memory, leading, base, tail, recovered, told>>
================================================================================
