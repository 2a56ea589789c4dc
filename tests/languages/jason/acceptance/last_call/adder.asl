!start.
+!start <- !sum(6, 0, Total); show(Total).
+!sum(0, Total, Total).
+!sum(N, Sofar, Total) <- !sum(N - 1, Sofar + N, Total).
