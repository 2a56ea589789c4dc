last(1).
+!order(What, N)[source(Who)]
   <- ?last(Id);
      ?(Next = Id + 1);
      -+last(Next);
      deliver(What, N);
      .send(Who, tell, sent(What, N, Next)).
