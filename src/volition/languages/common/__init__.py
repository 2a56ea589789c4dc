"""Building blocks shared by all languages, one module per concern."""
