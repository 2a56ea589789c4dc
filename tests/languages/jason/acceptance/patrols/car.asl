free.
cars(3).
all_heard(N) :- .findall(x, can(N, _), L) & .length(L, K) & cars(M) & K >= M - 1.
best(N, Mine) :- .my_name(Me) & leads(N, Me, Mine).

+call(_, N) <- !negotiate(N).

+!negotiate(N) : free
   <- .my_name(Me);
      map.distance(N, Mine);
      +leads(N, Me, Mine);
      .broadcast(tell, can(N, Mine)).
+!negotiate(N) <- .broadcast(tell, can(N, 0)).

@beaten[atomic]
+can(N, B)[source(Who)] : best(N, Mine) & Mine < B <- -+leads(N, Who, B).
@ahead[atomic]
+can(N, _) : best(N, _) <- !finish(N).
+can(N, B)[source(Who)] : leads(N, _, W) & B > W <- -+leads(N, Who, B).
+can(_, _).

+!finish(N) : best(N, _) & all_heard(N)
   <- -free;
      .send(desk, tell, taken(N)).
+!finish(_).
