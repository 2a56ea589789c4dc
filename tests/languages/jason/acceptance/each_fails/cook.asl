!taste([soup, fish, cake]).
+!taste([]).
+!taste([Dish | Rest]) <- .print("try ", Dish); !swallow; praise; !taste(Rest).
-!taste([Dish | Rest]) <- .print("no ", Dish); !taste(Rest).
+!swallow <- .fail.
