+!open(Door)[source(visitor)]
   :  ~open(Door)
   <- unlock(Door).

+!~open(Door)[source(guard)]
   :  open(Door)
   <- lock(Door).
