// Announces the tasks one by one. Decides when both contractors have answered.

next(paint, wire).
!hire(paint).

+!hire(T) : true
    <- .broadcast(tell, call(T)).

+offer(_,T,_) : offer(A,T,P) & offer(B,T,Q) & P < Q
    <- .send(A, achieve, do(T)).

+offer(A,T,_) : refusal(_,T)
    <- .send(A, achieve, do(T)).

+refusal(_,T) : offer(A,T,_)
    <- .send(A, achieve, do(T)).

+done(T,Who) : next(T,Next)
    <- .send(Who, tell, paid(T)); +finished(T); !hire(Next).

+done(T,Who) : true
    <- .send(Who, tell, paid(T)); +finished(T).
