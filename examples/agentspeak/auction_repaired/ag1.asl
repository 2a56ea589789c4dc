// Always bids 6.

+auction(N) : true
    <- place_bid(N,6).
