glasses(2).                                     // number of glasses wanted today

!drink(juice).

+!drink(_)     : glasses(0).
+!drink(Drink) <- .send(butler, achieve, serve(Drink)).

+holds(resident, Drink)
   <- !empty(Drink).

+!empty(Drink)
   :  holds(resident, Drink)
   <- sip(Drink);
      !empty(Drink).
+!empty(Drink)
   :  glasses(N)
   <- -+glasses(N - 1);
      !!drink(Drink).
