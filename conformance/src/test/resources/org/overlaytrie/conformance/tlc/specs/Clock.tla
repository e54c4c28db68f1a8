------------------------------- MODULE Clock -------------------------------
(* A fixture of the TLC runner's own tests: a hand that goes round, and springs that are wound once. *)
EXTENDS Naturals

CONSTANTS Hours,      \* the hand counts modulo this
          Writers     \* who winds, each a spring of their own

VARIABLES hour, wound

vars == <<hour, wound>>

TypeInv == hour \in 0 .. Hours /\ wound \in [Writers -> 0 .. 1]

Init == hour = 0 /\ wound = [w \in Writers |-> 0]

Tick == hour < Hours - 1 /\ hour' = hour + 1 /\ UNCHANGED wound

Wrap == hour = Hours - 1 /\ hour' = 0 /\ UNCHANGED wound

Wind(w) == wound[w] = 0 /\ wound' = [wound EXCEPT ![w] = 1] /\ UNCHANGED hour

\* Never taken: the hand never gets there.
Strike == hour = Hours /\ hour' = 0 /\ UNCHANGED wound

\* The hand sticks for ever.
Break == hour = Hours - 1 /\ hour' = Hours /\ UNCHANGED wound

Winding == \E w \in Writers : Wind(w)

Next == Tick \/ Wrap \/ Winding

Spec == Init /\ [][Next]_vars /\ WF_vars(Tick \/ Wrap) /\ \A w \in Writers : WF_vars(Wind(w))

SpecUnfair == Init /\ [][Next]_vars

SpecDead == Init /\ [][Next \/ Strike]_vars

SpecBreaks == Init /\ [][Tick \/ Winding \/ Break]_vars
=============================================================================
