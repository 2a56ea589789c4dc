"""Checking of probabilities and rewards: values with certified bounds, and optimal strategies."""
