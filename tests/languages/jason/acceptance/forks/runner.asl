!start.
+!start <- !lap(c, 3) |&| (!lap(a, 4) ||| !lap(b, 2)).
+!lap(_, 0).
+!lap(Who, N) <- .print(Who, N); .wait(500); !lap(Who, N - 1).
