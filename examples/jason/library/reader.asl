!visit.

+!visit
   <- .send(librarian, askOne, shelf(logic, _), shelf(logic, Shelf));    // waits for the answer
      +found(logic, Shelf);
      .send(librarian, askOne, due(logic, _), due(logic, Day));          // a plan of the librarian computes it
      +back_by(Day);
      .send(librarian, askAll, lent(_, _), Loans);
      +loans(.length(Loans));
      .send(librarian, askOne, shelf(poetry, _), Answer);
      !note(poetry, Answer).

+!note(Book, false) <- +missing(Book).
+!note(Book, _)     <- +found(Book).
