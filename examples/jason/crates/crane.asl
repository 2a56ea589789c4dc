free(floor).
free(Crate) :- not on(_, Crate).

above(X, Y) :- on(X, Y).
above(X, Y) :- on(X, Z) & above(Z, Y).

pile([Bottom]) :- on(Bottom, floor).
pile([X, Y | Rest]) :- on(X, Y) & pile([Y | Rest]).

!piled([red, green, blue]).

+!piled(Crates) : pile(Crates).
+!piled([Crate])
   <- !put(Crate, floor).
+!piled([X, Y | Rest])
   <- !piled([Y | Rest]);
      !put(X, Y).

+!put(X, Y) : on(X, Y).
+!put(X, Y)
   <- !cleared(X);
      !cleared(Y);
      lift(X, Y).

+!cleared(X) : free(X).
+!cleared(X)
   :  above(Top, X) & free(Top)
   <- lift(Top, floor);
      !cleared(X).
