"""Changed input of every kind, and the faults that no answer to it may show.

``python -m tests.fuzz`` (``make fuzz``) goes on for as long as it is asked to;
``tests/cli/test_mutants.py`` takes a small sample.
"""
