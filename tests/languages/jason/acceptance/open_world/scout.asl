safe(c).
~safe(c).

+safe(a)  <- look.
+~safe(a) <- look.
+safe(b)  : safe(a) & ~safe(a)         <- look.
+safe(b)  : not safe(a) & not ~safe(a) <- look.
+safe(b)                               <- look.
