+!sell(5).
+!sell(N) <- .broadcast(tell, sale(N)).

@all[atomic]
+bid(N, _)
   :  .findall(b(V, Who), bid(N, V)[source(Who)], Bids) & .length(Bids, 3)
   <- .max(Bids, b(Most, Winner));
      .print("sold to ", Winner, " for ", Most);
      hammer(N, Winner);
      .broadcast(tell, sold(Winner));
      .abolish(bid(N, _));
      !!sell(N + 1).
