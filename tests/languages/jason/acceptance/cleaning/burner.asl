+litter(burner) : not .desire(burnt) <- !burnt.
+!burnt <- burn.
