!arrive.
+!arrive <- .print("hello"); .send(hub, tell, hi).
