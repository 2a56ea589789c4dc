"""Execution of the reasoning cycle of LISA agents: when inputs are believed, which actions are
called, and which feedbacks are due."""
