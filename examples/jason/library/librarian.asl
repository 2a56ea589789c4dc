today(3).
shelf(logic, 12).
shelf(physics, 7).
lent(history, anna).
lent(music, bert).

+?due(Book, Day)
   :  shelf(Book, _)
   <- ?today(Now);
      Day = Now + 14.
