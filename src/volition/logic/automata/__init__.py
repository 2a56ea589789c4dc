"""Automata for path formulas: translation from LTL, the Hanoi Omega-Automata (HOA) format, and
formula progression."""
