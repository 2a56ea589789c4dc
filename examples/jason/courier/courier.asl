neighbour(miller, smith).                  // neighbour(X, Y): Y accepts parcels for X

!round.

+!round
   <- !delivered(miller);
      !delivered(jones);
      +done.

+!delivered(Name)
   <- !handed_over(Name);
      +signed(Name).

+!handed_over(Name)
   <- ring(Name);
      give(Name).

// Handles failures of its subgoals as well. Then the plan for !round continues as if the parcel had been delivered.
-!delivered(Name)[error(action_failed)]
   :  neighbour(Name, Other)
   <- give(Other);
      +left_with(Other, Name).
