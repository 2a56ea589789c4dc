"""Analyses of a program that give more than one verdict: strategy synthesis, trade-offs between
objectives, parameter sweeps, closed forms and simulation."""
