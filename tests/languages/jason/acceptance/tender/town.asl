all_in(Id, N) :- .count(offer(Id, _)[source(_)], Yes) & .count(no(Id)[source(_)], No) & N = Yes + No.

!tender(1, bridge).
!register.
+!register <- .df_register(town).

+!tender(Id, What)
   <- !invite(Id, What, Firms);
      !collect(Id, Firms);
      !choose(Id, Offers, Best);
      !tell(Id, Offers, Best).
+!invite(Id, What, Firms)
   <- .wait(2000);
      .df_search("builder", Firms);
      .send(Firms, tell, call(Id, What)).
+!collect(Id, Firms)
   <- .wait(all_in(Id, .length(Firms)), 4000, _).
+!choose(Id, Offers, Best)
   :  .findall(o(Price, Who), offer(Id, Price)[source(Who)], Offers) & Offers \== []
   <- .min(Offers, o(_, Best)).
+!choose(_, [], nobody).
+!tell(_, [], _).
+!tell(Id, [o(_, Best) | Rest], Best)
   <- .send(Best, tell, taken(Id));
      !tell(Id, Rest, Best).
+!tell(Id, [o(_, Who) | Rest], Best)
   <- .send(Who, tell, left(Id));
      !tell(Id, Rest, Best).
