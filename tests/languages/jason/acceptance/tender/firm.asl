price(_, X) :- .random(R) & X = 10 * R + 100.
!register.
+!register <- .df_register(builder); .df_subscribe(town).
+call(Id, What)[source(Town)]
   :  provider(Town, "town") & price(What, Price)
   <- +mine(Id, Price);
      .send(Town, tell, offer(Id, Price)).
+left(Id) <- -mine(Id, _).
