note(milk)[written(pencil)].
!forget.
+!forget <- -note(_).
