// Stamps each part that is loaded and reports the result to the feeder.

+loaded(N) : true
    <- stamp(N).

+result(N,good) : true
    <- .send(feeder, tell, stamped_well(N)).

+result(N,faulty) : true
    <- .send(feeder, achieve, replace(N)).
