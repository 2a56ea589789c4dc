!register.
+!register <- .df_register(builder).
