"""Reports of verification results in terms of the program: annotated runs, run summaries, traces,
replay, coverage, strategy tables."""
