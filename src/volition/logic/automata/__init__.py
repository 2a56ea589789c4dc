"""Automata for path formulas: translation from LTL, the Hanoi format, and formula progression."""
