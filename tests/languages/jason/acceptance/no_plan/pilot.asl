!fly.
+!fly <- !land_on_the_moon; say(back).
-!land_on_the_moon[error(no_relevant)] <- say(cannot).
