+~open(Door) <- .send(keeper, achieve, open(Door)).
