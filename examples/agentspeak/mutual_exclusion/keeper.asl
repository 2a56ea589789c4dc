// Owns one token, lends it to one robot at a time, and remembers which robots are waiting for it.

free.

+!lend(R) : free
    <- -free; .send(R, achieve, cross).

+!lend(R) : true
    <- +waiting(R).

+!take_back : waiting(R)
    <- -waiting(R); .send(R, achieve, cross).

+!take_back : true
    <- +free.
