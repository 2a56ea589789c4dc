"""Benchmarks, each a module with a `main` that prints what it measured: `python -m
benchmarks.manufacturing`."""
