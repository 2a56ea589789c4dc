+call(Task)[source(Manager)]
   :  price(Task, Price)
   <- .wait(500);                                         // it takes half a second to work it out
      .send(Manager, tell, offer(Task, Price)).

+accepted(Task) <- +busy(Task).
