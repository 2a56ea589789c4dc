!arrive.
+!arrive <- .print("...").
