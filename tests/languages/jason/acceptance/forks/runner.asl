!start.
+!start <- !lap(c, 2) |&| (!lap(a, 3) ||| !lap(b, 1)).
+!lap(_, 0).
+!lap(Who, N) <- .print(Who, N); .wait(500); !lap(Who, N - 1).
