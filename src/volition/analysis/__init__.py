"""Analyses of a program beyond checking a property: strategy synthesis, trade-offs between
objectives, parameter sweeps, closed forms and simulation."""
