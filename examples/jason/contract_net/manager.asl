firms([mason, tiler, dreamer]).

answered(Task, N) :- .count(offer(Task, _)[source(_)], N).

!contract(roof).

+!contract(Task)
   <- ?firms(Firms);
      .send(Firms, tell, call(Task));
      .wait(answered(Task, .length(Firms)), 2000, _);     // at most two seconds, less if all firms have answered
      !award(Task).

+!award(Task)
   :  .findall(offer(Price, Firm), offer(Task, Price)[source(Firm)], Offers) & Offers \== []
   <- .min(Offers, offer(_, Winner));
      +awarded(Task, Winner);
      .send(Winner, tell, accepted(Task)).
+!award(Task)
   <- +awarded(Task, nobody).
