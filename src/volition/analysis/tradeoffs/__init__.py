"""Trade-offs between objectives: Pareto fronts of several objectives, and the cost of achieving a
mission."""
