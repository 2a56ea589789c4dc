+sale(N)[source(Seller)] <- .send(Seller, tell, bid(N, 6)).
