"""Model checking on the state graph: CTL, LTL and CTL*, fairness, witnesses, vacuity."""
