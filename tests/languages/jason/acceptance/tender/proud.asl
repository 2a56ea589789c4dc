!register.
+!register <- .df_register(builder); .df_subscribe(town).
+call(Id, _)[source(Town)] : provider(Town, "town") <- .send(Town, tell, no(Id)).
