!file(0).
+!file(N) : N < 5 <- stamp(N); !file(N + 1).
+!file(_).
