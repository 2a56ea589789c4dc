"""Execution of a LISA agent's reasoning cycle: when inputs are believed, which calls are made, and
which feedbacks are due."""
