safe(c).
~safe(c).

+safe(a)  : ~safe(a)                   <- .print("both"); look.
+safe(a)                               <- look.
+~safe(a) : not safe(a) & not safe(b)  <- look.
+~safe(a)                              <- .print("both"); look.
