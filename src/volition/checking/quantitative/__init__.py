"""Probabilities and rewards: queries, certified bounds on floating-point values, and optimal
strategies."""
