"""Analyses beyond a single verdict: strategy synthesis, trade-offs, parameter sweeps, closed forms,
simulation."""
