!go.
+!go
   :  amount(Amount)
   <- .send(bank, achieve, pay(plain, Amount));
      .send(bank, achieve, pay(guarded, Amount)).
