"""Multi-objective analysis: Pareto fronts of several objectives, exact or with proven bounds."""
