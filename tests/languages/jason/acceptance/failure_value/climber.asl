!ascend.

+!ascend   <- !camp(1, Reached); report; reached(Reached).
+!camp(1, X) <- pack; !camp2(X); rest(1).
+!camp2(X) <- climb; !camp3(X); rest(2).
+!camp3(X) <- climb; !summit(X); rest(3).
+!summit(X) <- look; !jump(X); rest(4).
+!jump(_)  <- .fail.
-!camp3(nowhere)[error(ia_failed)] <- slide.
