balance(plain, 0).
balance(guarded, 0).

+!pay(plain, Amount)
   <- ?balance(plain, Before);
      .print("looking for the ledger");
      -balance(plain, Before);
      +balance(plain, Before + Amount).

@guarded[atomic]                           // no other intention interleaves
+!pay(guarded, Amount)
   <- ?balance(guarded, Before);
      .print("looking for the ledger");
      -balance(guarded, Before);
      +balance(guarded, Before + Amount).
