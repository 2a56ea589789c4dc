// Loads the parts one by one, and loads a part again if the press requests it.

last(2).
!feed(1).

+!feed(N) : last(L) & N <= L
    <- load(N).

+!feed(N) : true
    <- +finished.

+stamped_well(N) : true
    <- .plus(N,1,M); !feed(M).

+!replace(N) : true
    <- load(N).
