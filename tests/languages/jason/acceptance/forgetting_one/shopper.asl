note(milk)[written(pencil)].
!forget.
+!forget <- -note(milk).
