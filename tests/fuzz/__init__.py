"""Damaged input of every kind, and what must be true of the answer to it.

``python -m tests.fuzz`` (``make fuzz``) goes on for as long as it is told to; ``test_mutants.py`` takes a small sample of the same.
"""
