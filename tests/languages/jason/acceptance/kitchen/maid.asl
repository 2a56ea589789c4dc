there(tea).
most(tea, 3).
too_many(X) :- .date(Y, M, D) & .count(given(Y, M, D, _, _, _, X), N) & most(X, Most) & N > Most.

+!given(owner, tea)
   :  there(tea) & not too_many(tea)
   <- !at(shelf);
      open(shelf);
      get(tea);
      close(shelf);
      !at(owner);
      pass(tea);
      ?has(owner, tea);
      .date(Y, M, D); .time(H, N, S);
      +given(Y, M, D, H, N, S, tea).
+!given(owner, tea)
   :  not there(tea)
   <- .send(store, achieve, order(tea, 1));
      !at(shelf).
+!given(owner, tea)
   :  too_many(tea) & most(tea, N)
   <- .concat("no more than ", N, Text);
      .send(owner, tell, note(Text)).
-!given(_, _) <- .current_intention(I); .print("failed: ", I).

+!at(P) : at(P) <- true.
+!at(P) : not at(P) <- step(P); !at(P).

+sent(tea, _, _)[source(store)] <- +there(tea); !given(owner, tea).
+stock(tea, 0) : there(tea) <- -there(tea).
+stock(tea, N) : N > 0 & not there(tea) <- -+there(tea).
+?time(T) <- clock.read(T).
