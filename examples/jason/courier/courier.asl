neighbour(miller, smith).                  // who takes in whose parcels

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

// Found from where it failed downwards: the plan above goes on as if the parcel were handed over.
-!delivered(Name)[error(action_failed)]
   :  neighbour(Name, Other)
   <- give(Other);
      +left_with(Other, Name).
