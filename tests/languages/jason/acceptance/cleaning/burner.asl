+litter(burner) <- burn.
