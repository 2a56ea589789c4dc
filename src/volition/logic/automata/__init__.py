"""Formulas about runs as automata: their construction, the Hanoi format, and what of a formula is
still due."""
