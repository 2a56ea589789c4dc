// Bids 4, or 0 once it has an alliance with ag3.

myself(ag2).
bid(ag2,4).
ally(ag3).

+auction(N) : myself(I) & ally(A) & not(alliance(A,I))
    <- ?bid(I,B); place_bid(N,B).

+auction(N) : alliance(A,I)
    <- place_bid(N,0).

+alliance(A,I) : myself(I) & ally(A)
    <- ?bid(I,B);
       .send(A,tell,bid(I,B));
       .send(A,tell,alliance(A,I)).
