// Stamps what it is given and tells the feeder how it went.

+loaded(N) : true
    <- stamp(N).

+result(N,good) : true
    <- .send(feeder, tell, stamped_well(N)).

+result(N,faulty) : true
    <- .send(feeder, achieve, replace(N)).
