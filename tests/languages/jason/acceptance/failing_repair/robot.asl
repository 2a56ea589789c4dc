!work.
+!work   <- !weld; say(finished).
+!weld   <- !heat; say(welded).
-!weld   <- say(glued).
+!heat   <- !spark; say(hot).
-!heat   <- say(matches); .fail.
+!spark  <- .fail.
