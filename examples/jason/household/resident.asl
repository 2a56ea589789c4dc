!drink(juice).

+!drink(Drink)
   <- .send(butler, achieve, serve(Drink)).

+holds(resident, Drink)
   <- !empty(Drink).

+!empty(Drink)
   :  holds(resident, Drink)
   <- sip(Drink);
      !empty(Drink).
+!empty(Drink)
   <- !!drink(Drink).                           // and another one
