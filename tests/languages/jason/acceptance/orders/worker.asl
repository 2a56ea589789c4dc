level(1).
level(2).
+!dig(X, Y)[source(Who)] <- .println(Who, " wants a hole at ", X, "/", Y).
