at(P) :- pos(P, X) & pos(sweeper, X).

!search.

+!search : not litter(sweeper)
   <- next;
      !search.
+!search.

@found[atomic]
+litter(sweeper) : not .desire(bring(burner)) <- !bring(burner).

+!bring(Whom)
   <- ?pos(sweeper, X);
      -+pos(last, X);
      !carry(Whom);
      !at(last);
      !search.
+!carry(Whom)
   <- !lifted;
      !at(Whom);
      drop.
+!lifted : litter(sweeper)
   <- lift;
      !lifted.
+!lifted.
+!at(P) : at(P).
+!at(P) <- ?pos(P, X);
           go(X);
           !at(P).
