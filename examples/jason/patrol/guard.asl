!patrol.

+!patrol
   <- walk;
      !patrol.

+alarm
   <- .suspend(patrol);
      !check;
      .resume(patrol).

+!check
   <- reset.
