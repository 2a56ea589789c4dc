glad(host).
+glad(host) <- !greet(everyone).
+!greet(Whom) <- .print("welcome, ", Whom).
