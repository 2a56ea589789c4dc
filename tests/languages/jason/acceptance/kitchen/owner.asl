!bored.
+!want(tea) <- .send(maid, achieve, given(owner, tea)).
+has(owner, tea) <- !drink(tea).
+!drink(tea) : has(owner, tea) <- sip(tea); !drink(tea).
+!drink(tea) : not has(owner, tea) <- true.
+!bored <- .random(X); .wait(X * 100 + 2000); .send(maid, askOne, time(_), R); .print(R); !want(tea).
+note(M)[source(Who)] <- .print(Who, M); -note(M).
