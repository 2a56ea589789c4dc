usual(3).
friend(bert).
patience(3).

+sale(N)[source(Seller)]
   :  (patience(T) & N < T)
      | (.my_name(Me) & sold(Me) & friend(F) & not joint(Me, F))
   <- !alone(Seller, N).
+sale(N)[source(Seller)]
   :  .my_name(Me) & not sold(Me) & friend(F) & not joint(Me, F)
   <- !join(F);
      !alone(Seller, N).
@together
+sale(N)[source(Seller)]
   :  joint(_, F)
   <- ?usual(B);
      ?purse(F, More);
      .send(Seller, tell, bid(N, B + More)).

+!alone(Seller, N)
   <- ?usual(B);
      .send(Seller, tell, bid(N, B)).
+!join(F) <- .send(F, tell, joint).
