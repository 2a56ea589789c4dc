fact(3). fact(5).
+?double(X)[source(_)] : fact(Y) <- X = 2 * Y.
+!kqml_received(Who, askOne, name, Id) <- .send(Who, tell, "Ms Byron", Id).
