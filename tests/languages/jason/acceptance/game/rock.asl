{ include("player.asl") }
+meets(R, _)[source(referee)] <- .send(referee, tell, shows(R, rock)).
+!remember(_, _, _).
