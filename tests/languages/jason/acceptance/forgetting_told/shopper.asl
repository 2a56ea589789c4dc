note(milk)[source(anna)].
!forget.
+!forget <- -note(milk); +tried; -note(milk)[source(_)].
