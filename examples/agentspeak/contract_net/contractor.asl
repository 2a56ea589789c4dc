// Offers its price, if it has one, and does what it is asked to do.

+call(T) : me(I) & cost(T,P)
    <- .send(manager, tell, offer(I,T,P)).

+call(T) : me(I)
    <- .send(manager, tell, refusal(I,T)).

+!do(T) : true
    <- work(T).
