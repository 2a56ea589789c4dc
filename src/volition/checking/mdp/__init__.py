"""An explored space as a Markov decision process: its arrays, its end components, and its product
with a memory."""
