moves(0).
!litres(_, 1).
+!litres(Big, Small) : jug(3, Big) & jug(2, Small) & moves(N)
   <- .print("after ", N);
      .stopMAS.
+!litres(Big, Small)
   <- .nth(math.floor(math.random(6)), [fill(3), fill(2), empty(3), empty(2), pour(2, 3), pour(3, 2)], Next);
      !Next;
      !litres(Big, Small).
+!fill(J) : jug(J, V) & V < J & not latest(fill(J)) & moves(N)
   <- fill(J); -+moves(N + 1); -+latest(fill(J)).
+!fill(_).
+!empty(J) : jug(J, V) & V > 0 & not latest(empty(J)) & moves(N)
   <- empty(J); -+moves(N + 1); -+latest(empty(J)).
+!empty(_).
+!pour(A, B) : jug(A, V) & V > 0 & jug(B, W) & W < B & not latest(pour(A, B)) & moves(N)
   <- pour(A, B); -+moves(N + 1); -+latest(pour(A, B)).
+!pour(_, _).
