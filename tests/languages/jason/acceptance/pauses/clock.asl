!tick.
!rest.
+!tick <- .print("tick"); !!tick.
+!rest
   <- .wait(30);
      .suspend(tick);
      .println;
      .wait(1000);
      .resume(tick);
      !!rest.
