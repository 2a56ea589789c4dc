"""Building blocks shared by the readers and models of all agent languages, one module per
concern."""
