usual(4).
friend(carl).

+sale(N)[source(Seller)] : not joint
   <- ?usual(B);
      .send(Seller, tell, bid(N, B)).
+sale(N)[source(Seller)] : joint
   <- .send(Seller, tell, bid(N, 0)).

+joint[source(Who)]
   :  .my_name(Me) & friend(Who)
   <- ?usual(B);
      .send(Who, tell, purse(Me, B));
      .send(Who, tell, joint(Who, Me)).
