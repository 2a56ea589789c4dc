"""Several objectives under one strategy: Pareto fronts, exactly or with proven bounds."""
