// Tries to win the first T auctions alone. Then it proposes an alliance to ag2 and bids for both.

myself(ag3).
bid(ag3,3).
ally(ag2).
threshold(3).

+auction(N) : threshold(T) & .gte(T,N)
    <- !bid_normally(N).

+auction(N) : myself(I) & winner(I)
            & ally(A) & not(alliance(I,A))
    <- !bid_normally(N).

+auction(N) : myself(I) & not(winner(I))
            & ally(A) & not(alliance(I,A))
    <- !alliance(I,A);
       !bid_normally(N).

+auction(N) : alliance(I,A)
    <- ?bid(I,B); ?bid(A,C);
       .plus(B,C,D); place_bid(N,D).

+!bid_normally(N) : true
    <- ?bid(I,B); place_bid(N,B).

+!alliance(I,A) : not(alliance(I,A))
    <- .send(A,tell,alliance(I,A)).
