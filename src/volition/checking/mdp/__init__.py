"""Markov decision process (MDP) of an explored state space: its arrays, its end components, and its
product with the memory of a strategy."""
