round(0).
rounds(1).
{ include("table.asl") }

pair(A, B) :- .count(player(_), N) & two(I, J, N) & .findall(P, player(P), All) & .nth(I, All, A) & .nth(J, All, B).
two(I, J, N) :- dice.throw(I, N) & dice.throw(J, N) & I \== J.

+player(_) : .count(player(_), 2) <- !!call.

@call[atomic]
+!call
   :  round(R) & rounds(Last) & R < Last
   <- ?pair(A, B);
      .send(A, tell, meets(R, B));
      .send(B, tell, meets(R, A));
      -+round(R + 1).
+!call <- .print("over").

+shows(R, One)[source(A)]
   :  shows(R, Other)[source(B)] & A \== B
   <- ?points(One, Other, Mine, Yours);
      .send(A, tell, gets(R, Mine));
      .send(B, tell, gets(R, Yours));
      .abolish(shows(R, _));
      !!call.
