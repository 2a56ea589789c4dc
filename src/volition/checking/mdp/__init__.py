"""Markov decision process of an explored space: its arrays, its end components, and its product
with a memory."""
