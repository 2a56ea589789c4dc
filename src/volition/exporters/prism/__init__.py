"""PRISM language, and the translations of LISA and Dribble programs into it."""
