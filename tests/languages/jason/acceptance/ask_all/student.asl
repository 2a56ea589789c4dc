+!ask_first   <- .send(teacher, askOne, fact(_), fact(X)); .send(teacher, askOne, fact(_)); write(X).
+!ask_plan    <- .send(teacher, askOne, double(_), A); write(A).
+!ask_unknown <- .send(teacher, askOne, gossip(_), A); write(gossip, A).
+!ask_name    <- .send(teacher, askOne, name, A); write(A).
+!ask_all     <- .send(teacher, askAll, fact(_), L); write(L).
