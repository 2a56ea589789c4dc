// Offers its price if it has one, and does the tasks that it is awarded.

+call(T) : me(I) & cost(T,P)
    <- .send(manager, tell, offer(I,T,P)).

+call(T) : me(I)
    <- .send(manager, tell, refusal(I,T)).

+!do(T) : true
    <- work(T).
