"""Statistical model checking: values estimated from sampled runs, for programs whose state space is
too large to store; see docs/guides/simulation.md."""
