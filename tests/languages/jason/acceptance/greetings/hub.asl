!open.
+!open <- .print("open").
+hi[source(Who)] <- .print(Who, " is here").
