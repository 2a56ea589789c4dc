+taken(N) <- .print(N).
