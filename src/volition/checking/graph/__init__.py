"""Questions about runs, answered on the graph of states: CTL, LTL and CTL*, fairness, witnesses,
vacuity."""
