------------------------------- MODULE MCBroken ------------------------------
(* A fixture of the TLC runner's own tests: does not parse. *)
VARIABLE x
Init == x = 
=============================================================================
