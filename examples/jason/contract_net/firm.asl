+call(Task)[source(Manager)]
   :  price(Task, Price)
   <- .wait(500);                                         // computing the offer takes half a second
      .send(Manager, tell, offer(Task, Price)).

+accepted(Task) <- +busy(Task).
