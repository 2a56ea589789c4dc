!begin.
+!begin
   <- .println("now");
      .send(worker, tell, level(3));
      .send(worker, achieve, dig(4, 5)).
