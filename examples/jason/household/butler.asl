// The butler assumes that there is juice in the fridge.
stocked(juice).

// The limit is two glasses a day.
limit(juice, 2).
enough(Drink) :- limit(Drink, Most) & .count(served(Drink, _), N) & N >= Most.

+!serve(Drink)[source(Guest)]
   :  enough(Drink)
   <- .send(Guest, tell, refused(Drink)).

+!serve(Drink)[source(Guest)]
   :  stocked(Drink)
   <- -+ordered_by(Guest);
      !fetch(Drink, Guest).

+!serve(Drink)[source(Guest)]                   // nothing in stock: serve it after the delivery
   <- -+ordered_by(Guest);
      .send(grocer, achieve, delivery(Drink)).

+brought(Drink)[source(grocer)]
   :  ordered_by(Guest)
   <- -brought(Drink)[source(grocer)];          // so that the next delivery causes a new event
      +stocked(Drink);
      !fetch(Drink, Guest).

+!fetch(Drink, Guest)
   <- !at(fridge);
      open(fridge);
      take(Drink);
      close(fridge);
      !at(Guest);
      hand(Drink, Guest);
      ?holds(Guest, Drink);                     // test that the drink has arrived
      .count(served(Drink, _), N);
      +served(Drink, N + 1).

-!fetch(Drink, _)[error(action_failed)]
   <- +mistaken(Drink).
-!fetch(Drink, Guest)
   <- .print(Guest, " has no ", Drink, ", as it seems").

+!at(Place) : at(Place).
+!at(Place)
   <- walk(Place);
      !at(Place).

// While the fridge is open, the butler perceives its contents.
+stock(Drink, 0) : stocked(Drink) <- -stocked(Drink).
