"""Worlds in which agents run: simulated with the probabilities of the model, or connected to skills
and other processes."""
