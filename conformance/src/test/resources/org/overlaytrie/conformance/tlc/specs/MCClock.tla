------------------------------ MODULE MCClock ------------------------------
(* A fixture of the TLC runner's own tests: bounds, and controls of Clock. *)
EXTENDS Clock

EarlyInv == hour < 2

UnwoundInv == \A w \in Writers : wound[w] = 0

AlwaysNoonProp == []<>(hour = 2)

GetsWoundProp == <>(\A w \in Writers : wound[w] = 1)

NeverBackProp == [][hour' >= hour]_vars
=============================================================================
