"""Questions about probabilities and rewards: queries, bounds on floating point, the strategies
behind extreme values."""
