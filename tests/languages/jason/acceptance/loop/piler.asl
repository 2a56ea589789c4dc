!pile.
stone(1).
+!pile <-
   while (.count(stone(_), N) & N < 4) {
      +stone(N + 1);
   }.
