!count(0).
+!count(N) : N < 8 & (N mod 2 == 0) <- .print(N); !!count(N + 1).
+!count(N) : N < 8                  <- !!count(N + 1).
+!count(_) : .my_name(idle9)        <- .stopMAS.
+!count(_).
