// Bids 6, whatever happens.

+auction(N) : true
    <- place_bid(N,6).
