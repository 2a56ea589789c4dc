"""Translations of LISA and Dribble programs to the PRISM language, and the syntax of that
language."""
