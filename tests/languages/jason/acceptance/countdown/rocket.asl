!count(4).
!beep.
!beep.

+!count(0).
+!count(N) <- .print(N); !beep; !count(N - 1).
+!beep <- .print("beep").
