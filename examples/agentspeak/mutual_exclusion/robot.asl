// Fetches a load, requests the token, crosses the bridge, gives the token back, unloads, and starts again.

!fetch.

+!fetch : me(I)
    <- +loaded; .send(keeper, achieve, lend(I)).

+!cross : true
    <- enter.

+on_bridge(I) : me(I)
    <- leave.

-on_bridge(I) : me(I)
    <- .send(keeper, achieve, take_back); !unload.

+!unload : true
    <- -loaded; !fetch.
