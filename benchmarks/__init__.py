"""Benchmarks. Each module has a `main` that prints its measurements; run it with, for example,
`python -m benchmarks.manufacturing`."""
