{ include("player.asl") }
+meets(R, _)[source(referee)] <- .send(referee, tell, shows(R, paper)).
+!remember(_, _, _).
