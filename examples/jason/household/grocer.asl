+!delivery(Drink)[source(Customer)]
   <- deliver(Drink);
      .send(Customer, tell, brought(Drink)).
